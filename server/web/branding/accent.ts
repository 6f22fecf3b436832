/**
 * The colours of controls and links for any accent colour. An operator chooses one colour; text in it must be readable
 * on every ground of the pages, and text on it must be, too, in light and in dark. So it is darkened or lightened as far
 * as that needs. The rest of the palette stays (`styles/tokens.css`).
 */

type Rgb = readonly [red: number, green: number, blue: number];

/** The accent colour of pages that nobody has given one: that of the style sheet. */
export const USUAL_ACCENT = '#0c6a57';

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** The darkest ground of a light page, and the lightest of a dark one: `--sunken` and `--line` of the style sheet. */
const LIGHT_GROUND: Rgb = [0xe9, 0xed, 0xeb];
const DARK_GROUND: Rgb = [0x28, 0x30, 0x2e];
const DARK_SURFACE: Rgb = [0x16, 0x1b, 0x1a];

/** What WCAG asks of text. */
const READABLE = 4.5;
const STEPS = 50;

const FILE = /^accent-([0-9a-f]{6})\.css$/;

/** The address of the style sheet of an accent colour, `#rrggbb`. */
export const accentPath = (accent: string): string => `/web/assets/accent-${accent.slice(1)}.css`;

/** The style sheet of this name; null for other names. */
export function accentSheet(name: string): string | null {
  const hex = FILE.exec(name)?.[1];
  return hex === undefined ? null : sheetOf(rgbOf(hex));
}

/** An accent colour in light and in dark, with what is written on it and what lies behind it. */
interface Accent {
  readonly accent: Rgb;
  /** The same, stronger: hovered, and as text on `soft`. */
  readonly strong: Rgb;
  readonly on: Rgb;
  readonly soft: Rgb;
}

/** The colours of light pages. */
export function inLight(chosen: Rgb): Accent {
  const soft = mix(chosen, WHITE, 0.88);
  const grounds = [LIGHT_GROUND, soft];
  const accent = until(chosen, BLACK, (colour) => grounds.every((ground) => reads(colour, ground)));
  return { accent, strong: mix(accent, BLACK, 0.25), on: WHITE, soft };
}

/** The colours of dark pages. */
export function inDark(chosen: Rgb): Accent {
  const soft = mix(chosen, DARK_SURFACE, 0.82);
  const grounds = [DARK_GROUND, soft];
  const accent = until(chosen, WHITE, (colour) => grounds.every((ground) => reads(colour, ground)));
  const strong = mix(accent, WHITE, 0.3);
  return { accent, strong, on: until(mix(accent, BLACK, 0.7), BLACK, (ink) => reads(ink, accent)), soft };
}

function sheetOf(chosen: Rgb): string {
  const [light, dark] = [inLight(chosen), inDark(chosen)];
  const both = (name: string, part: keyof Accent) =>
    `--${name}:light-dark(${hexOf(light[part])},${hexOf(dark[part])});`;
  return `:root{${both('accent', 'accent')}${both('accent-strong', 'strong')}${both('on-accent', 'on')}${both('accent-soft', 'soft')}}\n`;
}

const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const hexOf = (colour: Rgb): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const at = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return [at(0), at(1), at(2)];
};

/** The first colour on the way to another one that is good enough; that one if none is. */
function until(from: Rgb, to: Rgb, isGood: (colour: Rgb) => boolean): Rgb {
  for (let step = 0; step < STEPS; step += 1) {
    const colour = mix(from, to, step / STEPS);
    if (isGood(colour)) return colour;
  }
  return to;
}

const reads = (ink: Rgb, ground: Rgb): boolean => contrast(ink, ground) >= READABLE;

/** The contrast of two colours as WCAG defines it, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
