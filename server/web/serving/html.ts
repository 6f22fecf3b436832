import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** The HTML of a whole page. All record content is escaped. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
