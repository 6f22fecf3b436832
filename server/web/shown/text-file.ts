import type { Highlighted } from '../../../routers/base/ports/highlight.js';
import { readTable, readTsv, UnclosedQuote } from '../../../routers/base/text/csv.js';
import { hasFewParts } from '../../../routers/base/text/json-parts.js';
import { mayBeText } from '../../../routers/features/image/text.js';
import type { ListedImage } from '../records.js';
import type { PageRequest } from '../request.js';
import { countsViews } from '../visibility.js';
import { orNothing } from './readable.js';

/** The most rows and columns of a table, and parts of a tree, that a page shows; the source has all. */
export const MAX_ROWS = 1_000;
const MAX_COLUMNS = 50;
const MAX_PARTS = 2_000;
const MAX_DEPTH = 20;
/** What is parsed at all, to be counted as it is shown: a name of two values is one part. */
const MAX_WRITTEN = { nests: MAX_PARTS, names: 2 * MAX_PARTS, values: 2 * MAX_PARTS };

/** A part of a JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What a page shows of a text: its source, or a form of it that is easier to read. */
export type ShownText =
  | { readonly as: 'source'; readonly text: Highlighted }
  | { readonly as: 'rendered'; readonly html: string }
  | { readonly as: 'diagram'; readonly text: string }
  | { readonly as: 'table'; readonly rows: readonly (readonly string[])[]; readonly cut: boolean }
  | { readonly as: 'tree'; readonly value: Json };

/** A text that a page shows, and whether it can be read both as its source and in another form. */
export interface TextShown {
  readonly shown: ShownText;
  readonly hasForms: boolean;
}

/** Whether a script draws something of a text. */
export const hasDiagram = ({ shown }: TextShown): boolean =>
  shown.as === 'diagram' ||
  (shown.as === 'rendered' && shown.html.includes('<code class="language-mermaid">'));

/** The text of a file as its page shows it; null for what is no text, is too large, or counts its views. */
export async function textOf(
  request: Pick<PageRequest, 'call' | 'ctx' | 'query'>,
  image: ListedImage,
  password: string | null,
): Promise<TextShown | null> {
  if (countsViews(image) || image.size === null || !mayBeText(image.mimeType, image.size)) return null;
  return orNothing(async () => {
    const { text } = await request.call.image.text({ uniqueId: image.uniqueId, password });
    return showText(request, text, null, image.originalName, 'readable');
  });
}

/** A text in the form that the address asks for (`view`), or in the usual one: of `prose`, only what is rendered or drawn is readable. */
export async function showText(
  { ctx, query }: Pick<PageRequest, 'ctx' | 'query'>,
  text: string,
  language: string | null,
  name: string | null,
  usual: 'prose' | 'readable',
): Promise<TextShown> {
  const form = await formOf(ctx, text, extensionOf(language, name));
  const view =
    query.text('view') ??
    (usual === 'readable' || form?.as === 'rendered' || form?.as === 'diagram' ? 'readable' : 'source');
  if (form !== null && view !== 'source') return { shown: form, hasForms: true };
  return { ...(await sourceOf({ ctx }, text, language, name)), hasForms: form !== null };
}

/** A text as it is, in the colours of its language. */
export async function sourceOf(
  { ctx }: Pick<PageRequest, 'ctx'>,
  text: string,
  language: string | null,
  name: string | null,
): Promise<TextShown> {
  return {
    shown: { as: 'source', text: await ctx.app.highlight(text, language, name) },
    hasForms: false,
  };
}

/** What a text is called that has a form besides its source. */
function extensionOf(language: string | null, name: string | null): string {
  const named = language?.trim().toLowerCase() ?? '';
  // Its language is that of its file, too.
  if (/\.ipynb$/i.test(name ?? '')) return 'ipynb';
  return named === '' || named === 'auto'
    ? (/\.([a-z0-9]{1,10})$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '')
    : named;
}

async function formOf(ctx: PageRequest['ctx'], text: string, extension: string): Promise<ShownText | null> {
  if (extension === 'mermaid' || extension === 'mmd') return { as: 'diagram', text };
  if (extension === 'ipynb' || ['md', 'markdown', 'mdown', 'mkd'].includes(extension)) {
    const html = await ctx.app.markdown(text, extension === 'ipynb' ? 'notebook' : 'markdown');
    return html === null ? null : { as: 'rendered', html };
  }
  if (extension === 'csv') return tableOf(readTable, text);
  if (extension === 'tsv' || extension === 'tab') return tableOf(readTsv, text);
  if (['json', 'geojson', 'webmanifest'].includes(extension)) return treeOf(text);
  return null;
}

/** The table of a text; null for what is none. */
function tableOf(read: typeof readTsv, text: string): ShownText | null {
  try {
    const records = read(text, MAX_ROWS + 1);
    const rows = records.slice(0, MAX_ROWS + 1).map(({ cells }) => cells.slice(0, MAX_COLUMNS));
    const isTable = rows.length > 1 && rows.some((cells) => cells.length > 1);
    const cut = records.length > MAX_ROWS + 1 || records.some(({ cells }) => cells.length > MAX_COLUMNS);
    return isTable ? { as: 'table', rows, cut } : null;
  } catch (error) {
    if (error instanceof UnclosedQuote) return null;
    throw error;
  }
}

/** The tree of a JSON text; null for what is none, or too large or too deep to be looked through. */
function treeOf(text: string): ShownText | null {
  if (!hasFewParts(text, MAX_WRITTEN)) return null;
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  const isNested = typeof value === 'object' && value !== null;
  const isShort = isNested && partsOf(value, 0) <= MAX_PARTS;
  return isShort && isAsWritten(text, value) ? { as: 'tree', value } : null;
}

/** Whether a value says all that its text does: the digits of numbers, and every name in its place. */
function isAsWritten(text: string, value: Json): boolean {
  const parts = text.match(/"(?:[^"\\]|\\.)*(?:"|$)|[^\s"]+/g) ?? [];
  const plain = parts
    .map((part) => (part.startsWith('"') ? JSON.stringify(JSON.parse(part)) : part))
    .join('');
  return plain === JSON.stringify(value);
}

/** How many parts a value has; more than there may be for one that is too deep. */
function partsOf(value: Json, depth: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (depth > MAX_DEPTH) return MAX_PARTS + 1;
  let parts = 1;
  for (const part of Object.values(value)) {
    parts += partsOf(part, depth + 1);
    if (parts > MAX_PARTS) break;
  }
  return parts;
}
