import type { Style } from './readable.js';

/** The size of text that nobody gave one, in pixels. */
export const NORMAL = 16;
/** Nobody can read what is smaller. */
const READABLE = 2;
/** Programs make no text smaller than this that is a part of what is around it, unless it is a part of nothing. */
const LEAST = 6;
const PART_OF_NOTHING = 0.15;

/** Whether text of this size, in pixels, is too small to see. */
export const isTiny = (size: number): boolean => size < READABLE;

/** How many pixels a unit has; those that are parts of the size around are below. */
const ABSOLUTE: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  q: 2.4 / 2.54,
  rem: NORMAL,
};
const RELATIVE: Readonly<Record<string, number>> = { em: 1, '%': 1 / 100, ex: 1 / 2, ch: 1 / 2 };
const LENGTH = /^\+?(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})([a-z]{1,4}|%)?$/;
const SIZE_WORD = /^(?:(?:xx?-)?small|medium|x{0,3}-?large|smaller|larger)$/;
const AS_AROUND = /^(?:inherit|unset)$/;
const OF_THE_SYSTEM =
  /^(?:caption|icon|menu|message-box|small-caption|status-bar|initial|revert(?:-layer)?)$/;

/**
 * The size of an element's text in pixels, inside of text with the size `around`. A size of which nobody can say what
 * it is counts as normal: text must not be lost by it.
 */
export function fontSizeOf(style: Style, attributes: ReadonlyMap<string, string>, around: number): number {
  // Of a property and its shorthand, the last one counts; a shorthand without a size says nothing.
  for (const [name, value] of [...style].reverse()) {
    if (name !== 'font' && name !== 'font-size') continue;
    const size = name === 'font' ? sizeInFont(value) : value.toLowerCase();
    if (size !== null) return pixels(size, around);
  }
  return /^\s*[+-]?\d/.test(attributes.get('size') ?? '') ? NORMAL : around;
}

/** The size in the shorthand, `bold 14px/20px Arial`; null if it has none. */
function sizeInFont(value: string): string | null {
  const whole = value.trim().toLowerCase();
  if (AS_AROUND.test(whole) || OF_THE_SYSTEM.test(whole)) return whole;
  for (const word of whole.split(/[\s/]+/)) {
    // A number without a unit is a weight.
    const [, number = '', unit = ''] = LENGTH.exec(word) ?? [];
    const isLength = number !== '' && unit !== 'deg' && (unit !== '' || Number(number) === 0);
    if (isLength || SIZE_WORD.test(word) || word.includes('(')) return word;
  }
  return null;
}

function pixels(size: string, around: number): number {
  if (size === '' || AS_AROUND.test(size)) return around;
  if (size === 'smaller') return part(1 / 1.2, around);
  if (size === 'larger') return part(1.2, around);
  const [, number, unit = ''] = LENGTH.exec(size) ?? [];
  if (number === undefined) return NORMAL;
  const relative = RELATIVE[unit];
  if (relative !== undefined) return part(Number(number) * relative, around);
  const absolute = ABSOLUTE[unit];
  if (absolute === undefined) return Number(number) === 0 ? 0 : NORMAL;
  return Number(number) * absolute;
}

function part(factor: number, around: number): number {
  const size = factor * around;
  return isTiny(around) || factor < PART_OF_NOTHING ? size : Math.max(size, LEAST);
}
