import { BLACK, type Colour, contrast, LINK, readColour, WHITE } from './colours.js';

/** What an element inherits for its text. */
export interface Ground {
  readonly text: Colour;
  readonly background: Colour;
}

/** Mails are shown on white paper, whatever the theme of the page is. */
export const PAPER: Ground = { text: BLACK, background: WHITE };

/** Large text needs this much, and small text can be read with it. */
const ENOUGH = 3;

/** Declarations by property, the last one of each. */
export type Style = ReadonlyMap<string, string>;

/**
 * The colours of an element's text and background, and what to add to its style if the text could not be read: its
 * sender may have relied on a background picture, or on a colour that we do not keep.
 */
export function readableOn(
  tag: string,
  style: Style,
  attributes: ReadonlyMap<string, string>,
  around: Ground,
): { readonly ground: Ground; readonly colour: string | null } {
  const own = style.get('background-color') ?? attributes.get('bgcolor');
  const background = (own === undefined ? null : readColour(own, around.background)) ?? around.background;
  const said = style.get('color') ?? attributes.get('color');
  const link = tag === 'a' && attributes.has('href') && said === undefined;
  const unknown = said !== undefined && said !== 'inherit' && readColour(said, background) === null;
  const text = link ? LINK : ((said === undefined ? null : readColour(said, background)) ?? around.text);
  if (unknown || contrast(text, background) >= ENOUGH) return { ground: { text, background }, colour: null };
  const better = contrast(WHITE, background) > contrast(BLACK, background) ? WHITE : BLACK;
  return { ground: { text: better, background }, colour: better === WHITE ? '#ffffff' : '#000000' };
}

/** Whether nobody was meant to see an element: a text for the list of mails, or one for programs that rank mails. */
export function isHidden(tag: string, style: Style, attributes: ReadonlyMap<string, string>): boolean {
  const is = (name: string, value: RegExp) => value.test(style.get(name) ?? '');
  return (
    attributes.has('hidden') ||
    is('display', /^none$/i) ||
    is('visibility', /^(?:hidden|collapse)$/i) ||
    is('mso-hide', /^all$/i) ||
    is('opacity', /^(?:0+(?:\.0*)?|\.0+)%?$/) ||
    // Parts of tables grow with what is in them, whatever their height.
    (!TABULAR.has(tag) && is('overflow', /^hidden$/i) && (is('max-height', NOTHING) || is('height', NOTHING)))
  );
}

const TABULAR = new Set(['table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']);
const NOTHING = /^0(?:\.0+)?(?:px|em|rem|pt|%)?$/i;

/** The colour in a `background` or a gradient, the only part of it that is kept; null if it has none. */
export function colourOfBackground(value: string): string | null {
  const drawn = value.replace(/url\((?:[^()"']|"[^"]*"|'[^']*')*\)/gi, ' ');
  const colour = /#[\da-f]{3,8}\b|(?:rgb|hsl)a?\([\d\s.,%/a-z]*\)/i.exec(drawn)?.[0];
  if (colour !== undefined) return colour;
  const word = drawn
    .toLowerCase()
    .match(/(?<![\w(-])[a-z]+(?![\w(-])/g)
    ?.find((name) => !KEYWORDS.has(name));
  return word ?? null;
}

const KEYWORDS = new Set(
  (
    'auto border bottom box center contain content cover fixed important inherit initial left local no none padding ' +
    'repeat revert right round scroll space text top unset x y'
  ).split(' '),
);
