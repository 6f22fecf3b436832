/** The ids of links, which people read, type and print: in any script, and with slashes. */

/** The longest id of an item of any kind, in characters. */
export const MAX_ID = 128;

/** As the `pattern` of a field; `isSlug` refuses more. */
export const SLUG_PATTERN = `(?:\\p{L}\\p{M}*|[\\p{Nd}._~\\/\\-])+`;
const SEGMENT = String.raw`(?!\.{1,2}(?:/|$))(?:\p{L}\p{M}*|[\p{Nd}._~-])+`;
const SLUG = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`, 'u');

/** How many characters a text has, as people count them; marks that stand alone count, too. */
export const charactersOf = (text: string): number => [...text].length;

/** Whether a normalised text (NFC) can be the id of a link. */
export const isSlug = (text: string): boolean =>
  text.length <= 2 * MAX_ID && charactersOf(text) <= MAX_ID && SLUG.test(text);

/**
 * Where the service and the clients of other products find something at the root of a host, with all below. A link with
 * such an id is reached at `/r/` only.
 */
const RESERVED = [
  ...['v1', 'web', 'trpc', 'r', 'qr', 'ws', 'files', 'domains', '.well-known'],
  ...['status', 'healthz', 'readyz', 'metrics', 'branding'],
  ...['robots.txt', 'favicon.ico', 'apple-touch-icon.png', 'apple-touch-icon-precomposed.png'],
  ...['yourls-api.php', 'api/v1', 'api/1', 'documents', 'raw', 'upload', 'rest/v3', 'rest/health', 'mcp'],
  ...['3/image', '3/upload', '3/image.json', '3/upload.json', '3/account', '3/credits'],
];

/** Whether a path without its first slash is one that the service answers itself. */
export function isReserved(path: string): boolean {
  const given = path.toLowerCase();
  return RESERVED.some((own) => given === own || given.startsWith(`${own}/`));
}

/** An id as it stands in the path of an address; slashes stay. */
export const inPath = (uniqueId: string): string => uniqueId.split('/').map(encodeURIComponent).join('/');

/** What no id of a link ends with: the bracket behind a link in a text, and what is copied along invisibly. */
const IN_SLUG = /^[\p{L}\p{M}\p{N}\p{Cc}\p{Cn}\p{Co}\p{Cs}_~-]$/u;

/**
 * The ids that the last part of a followed link may mean, the likeliest first: as it is, and without what stood behind it
 * in a text. A full stop may belong to either.
 */
export function slugsIn(text: string): readonly string[] {
  const letters = [...text];
  const upTo = (isEnd: (letter: string) => boolean) =>
    letters.slice(0, letters.findLastIndex(isEnd) + 1).join('');
  const isOfSlug = (letter: string) => IN_SLUG.test(letter);
  return [...new Set([text, upTo((letter) => letter === '.' || isOfSlug(letter)), upTo(isOfSlug)])];
}
