import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** The text of a whole page. Everything a record holds is escaped on the way. */
export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
