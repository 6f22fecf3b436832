import type { ByteSource } from '../../source.js';
import { type Details, displayed } from '../format.js';
import { xmlText } from './xml-text.js';

// The prefix of the namespace is free: Python's library, for example, writes `ns0:svg`.
const ROOT = /^<(?:[A-Za-z_][\w.-]{0,63}:)?svg(?=[\s>/])((?:[^>"']|"[^"]*"|'[^']*')*)/;
const DOCTYPE = /^<!DOCTYPE\s+(?:[A-Za-z_][\w.-]{0,63}:)?svg\b/;
/** A declaration or another instruction, but no script. */
const INSTRUCTION = /^<\?(?!php\b)[A-Za-z_]/i;

/** Number of leading bytes in which the root element must begin: licence texts and comments may precede it. */
export const SVG_HEAD_BYTES = 1024 * 1024;

/** Whether a text that is truncated begins with a prologue that may end with an SVG document. */
export const mayBecomeSvg = (text: string): boolean => /^\uFEFF?\s*<[?!]/.test(text);

const LESS_THAN = '<'.charCodeAt(0);
/** Bytes before the first `<` of XML in any encoding: marks of the encoding, white space, and zeros of UTF-16. */
const BEFORE_XML = new Set(Buffer.from('\xef\xbb\xbf\xfe\xff\0\t\n\v\f\r ', 'latin1'));

/** Whether these bytes are the beginning of an SVG document, in any encoding. The first byte of most files rules it out. */
export const isSvg = (bytes: Buffer): boolean =>
  bytes.find((byte) => !BEFORE_XML.has(byte)) === LESS_THAN && svgRoot(xmlText(bytes) ?? '') !== null;

/** The attributes of the root element if a text is an SVG document; null otherwise. */
function svgRoot(text: string): string | null {
  let rest = text.replace(/^\uFEFF/, '').trimStart();
  // Not a single regular expression: a crafted text could make it run for very long.
  for (;;) {
    const end = prologueEnd(rest);
    if (end === null) return ROOT.exec(rest)?.[1] ?? null;
    rest = rest.slice(end).trimStart();
  }
}

/** The end of a declaration, comment or document type at the start of a text; null if there is none. */
function prologueEnd(text: string): number | null {
  const behind = (mark: string, from = 0) => {
    const found = text.indexOf(mark, from);
    return found === -1 ? null : found + mark.length;
  };
  if (INSTRUCTION.test(text)) return behind('?>');
  if (text.startsWith('<!--')) return behind('-->', 4);
  if (!DOCTYPE.test(text)) return null;
  const subset = text.indexOf('[');
  const plain = behind('>');
  return plain === null || subset === -1 || plain < subset ? plain : behind('>', text.indexOf(']', subset));
}

const attribute = (root: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root)?.slice(1).find(Boolean) ?? '';

/** A length in pixels; 0 for percentages and other units. */
const pixels = (value: string) =>
  /^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(value) ? Math.round(Number.parseFloat(value)) : 0;

/** Dimensions of an SVG from its attributes, or else from its view box. */
export async function readSvg(source: ByteSource): Promise<Details> {
  const root = svgRoot(xmlText(await source.read(0, SVG_HEAD_BYTES)) ?? '') ?? '';
  const own = displayed(pixels(attribute(root, 'width')), pixels(attribute(root, 'height')), 1);
  if (own.width !== undefined) return own;
  const [, , width = 0, height = 0] = attribute(root, 'viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return displayed(Math.round(width) || 0, Math.round(height) || 0, 1);
}
