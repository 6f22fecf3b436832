import { readFile, stat } from 'node:fs/promises';

const MAX_BYTES = 4 * 1024 * 1024;

/** What lets an SVG load or define something else: entities, style sheets, other files, foreign markup. */
const ACTIVE = [
  /<!(?:ENTITY|ATTLIST|ELEMENT|NOTATION)/i,
  // In another encoding, all of these would be spelled differently.
  /\0|^[^>]*\bencoding\s*=\s*["'](?!utf-?8|us-ascii|iso-8859-1)/i,
  /<\?xml-stylesheet/i,
  /@import/i,
  /<(?:\w+:)?(?:script|foreignObject|iframe|include)\b/i,
  /\bxml:base\s*=/i,
  /\b(?:href|src)\s*=\s*(?:"\s*(?!#|data:image\/(?:png|jpeg|gif|webp);)[^"\s]|'\s*(?!#|data:image\/(?:png|jpeg|gif|webp);)[^'\s])/i,
  /url\(\s*(?:["']\s*)?(?!["'#\s]|data:image\/(?:png|jpeg|gif|webp);)[^)]/i,
];

/** Throws unless an SVG refers only to itself and to embedded pictures. */
export async function assertInert(path: string): Promise<void> {
  if ((await stat(path)).size > MAX_BYTES) throw new Error('the drawing is too large');
  const text = await readFile(path, 'utf8');
  if (ACTIVE.some((pattern) => pattern.test(text))) throw new Error('the drawing refers to other files');
}
