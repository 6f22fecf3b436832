import { readFile, stat } from 'node:fs/promises';
import { xmlText } from '../formats/svg/xml-text.js';

const MAX_BYTES = 4 * 1024 * 1024;

/** What lets an SVG load or define something else: entities, style sheets, other files, foreign markup. */
const ACTIVE = [
  /<!(?:ENTITY|ATTLIST|ELEMENT|NOTATION)/i,
  /<\?xml-stylesheet/i,
  /@import/i,
  /<(?:\w+:)?(?:script|foreignObject|iframe|include)\b/i,
  /\bxml:base\s*=/i,
  /\b(?:href|src)\s*=\s*(?:"\s*(?!#|data:image\/(?:png|jpeg|gif|webp);)[^"\s]|'\s*(?!#|data:image\/(?:png|jpeg|gif|webp);)[^'\s])/i,
  /url\(\s*(?:["']\s*)?(?!["'#\s]|data:image\/(?:png|jpeg|gif|webp);)[^)]/i,
];

const DECLARATION = /^\uFEFF?\s*<\?xml\s[^>]*\?>/;

/**
 * An SVG in UTF-8, without a declaration of another encoding. Throws unless it refers only to itself and to embedded
 * pictures. libvips looks for the root element near the start and without a prefix, so a comment names it there.
 */
export async function inertSvg(path: string): Promise<Buffer> {
  if ((await stat(path)).size > MAX_BYTES) throw new Error('the drawing is too large');
  const text = xmlText(await readFile(path));
  if (text === null) throw new Error('the drawing is not text in its encoding');
  if (ACTIVE.some((pattern) => pattern.test(text))) throw new Error('the drawing refers to other files');
  return Buffer.from(`<!--<svg-->${text.replace(DECLARATION, '')}`);
}
