/** A placeholder base where only paths matter. */
const HERE = 'http://localhost';

/** Paths are sent in a response header, whose length clients limit. */
export const MAX_LOCAL_PATH = 2_000;

/** A path of this site to continue to, from user input; "/" for one that leads elsewhere or is too long. */
export function safeNext(path: string | null | undefined): string {
  if (!path?.startsWith('/') || path.length > MAX_LOCAL_PATH || !URL.canParse(path, HERE)) return '/';
  const url = new URL(path, HERE);
  // The path after browsers' handling of dots, tabs and backslashes; it must still not be "//elsewhere".
  const way = url.pathname + url.search;
  return url.origin === HERE && !way.startsWith('//') && way.length <= MAX_LOCAL_PATH ? way : '/';
}
