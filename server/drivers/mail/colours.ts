/** Colours of mails: whether a text can be read on its background. */

/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** What browsers show if a mail says nothing. */
export const WHITE: Colour = [255, 255, 255];
export const BLACK: Colour = [0, 0, 0];
/** What browsers give to links. */
export const LINK: Colour = [0, 0, 238];

/** The names that mails use; others are left to the browser, unchecked. */
const NAMES: Readonly<Record<string, Colour>> = {
  black: BLACK,
  white: WHITE,
  red: [255, 0, 0],
  green: [0, 128, 0],
  lime: [0, 255, 0],
  blue: [0, 0, 255],
  navy: [0, 0, 128],
  yellow: [255, 255, 0],
  orange: [255, 165, 0],
  purple: [128, 0, 128],
  maroon: [128, 0, 0],
  olive: [128, 128, 0],
  teal: [0, 128, 128],
  aqua: [0, 255, 255],
  fuchsia: [255, 0, 255],
  silver: [192, 192, 192],
  gray: [128, 128, 128],
  grey: [128, 128, 128],
  dimgray: [105, 105, 105],
  darkgray: [169, 169, 169],
  lightgray: [211, 211, 211],
  lightgrey: [211, 211, 211],
  whitesmoke: [245, 245, 245],
  ghostwhite: [248, 248, 255],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
};

/** A colour as it looks on a background; null if it is none that we know, or not to be seen. */
export function readColour(text: string, behind: Colour): Colour | null {
  const value = text.trim().toLowerCase();
  const hex = /^#([\da-f]{3,8})$/.exec(value)?.[1];
  if (hex !== undefined) return fromHex(hex, behind);
  const numbers = /^rgba?\(([\d\s.,%/]+)\)$/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .filter(Boolean);
  if (numbers !== undefined) {
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers.map((part, index) =>
      part.endsWith('%') ? (Number(part.slice(0, -1)) / 100) * (index < 3 ? 255 : 1) : Number(part),
    );
    return over([red, green, blue], alpha, behind);
  }
  return Object.hasOwn(NAMES, value) ? (NAMES[value] ?? null) : null;
}

function fromHex(hex: string, behind: Colour): Colour | null {
  const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return digits.length === 6 || digits.length === 8 ? over([red, green, blue], alpha / 255, behind) : null;
}

function over([red, green, blue]: Colour, alpha: number, behind: Colour): Colour | null {
  if (!(alpha > 0)) return null;
  const part = Math.min(1, alpha);
  const mix = (front: number, back: number) => Math.min(255, front * part + back * (1 - part));
  return [mix(red, behind[0]), mix(green, behind[1]), mix(blue, behind[2])];
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours as WCAG defines it, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
