import type { ByteSource } from '../source.js';
import { type Details, displayed, image } from './format.js';

export const SVG = image('svg', 'image/svg+xml');

const PROLOGUE =
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE\s+(?:svg:)?svg\b(?:[^[>]|\[[\s\S]*?\]\s*)*>\s*)*/;
const ROOT = /^<(?:svg:)?svg(?=[\s>/])((?:[^>"']|"[^"]*"|'[^']*')*)/;
const HEAD = 64 * 1024;

/** The attributes of the root element when a text is an SVG document; null when it is anything else. */
export function svgRoot(text: string): string | null {
  const prologue = PROLOGUE.exec(text)?.[0] ?? '';
  return ROOT.exec(text.slice(prologue.length))?.[1] ?? null;
}

const attribute = (root: string, name: string) =>
  new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root)?.slice(1).find(Boolean) ?? '';

/** A length in pixels; 0 for percentages and other units. */
const pixels = (value: string) =>
  /^\s*\d+(?:\.\d+)?(?:px)?\s*$/.test(value) ? Math.round(Number.parseFloat(value)) : 0;

/** Dimensions of an SVG from its own attributes, else from its view box. */
export async function readSvg(source: ByteSource): Promise<Details> {
  const root = svgRoot((await source.read(0, HEAD)).toString('utf8')) ?? '';
  const own = displayed(pixels(attribute(root, 'width')), pixels(attribute(root, 'height')), 1);
  if (own.width !== undefined) return own;
  const [, , width = 0, height = 0] = attribute(root, 'viewBox')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return displayed(Math.round(width) || 0, Math.round(height) || 0, 1);
}
