import type { Token } from 'parse5';
import { colourOfBackground } from './readable.js';

type Attribute = Token.Attribute;

/** Attributes kept as they are: words, numbers, lengths and colours, which load and run nothing. */
const PLAIN = new Set(
  (
    'abbr align alt bgcolor border cellpadding cellspacing color colspan datetime dir face headers height ' +
    'lang nowrap reversed rowspan scope size span start title type valign width'
  ).split(' '),
);
/** Attributes that make some element load something. */
const LOADING = new Set(['background', 'poster', 'src', 'srcset']);
const LINK = /^(?:https?:\/\/|mailto:|tel:)/i;
const REMOTE = /^(?:https?:)?\/\//i;
const EMBEDDED = /^cid:[\w.@%+$=-]{1,200}$/i;
const INLINE_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]+$/i;

/** Style properties for colour and text layout; none moves content out of its place. */
const STYLES = new Set(
  (
    'background-color border border-collapse border-color border-radius border-spacing border-style border-width ' +
    'border-bottom border-left border-right border-top clear color direction display float font font-family ' +
    'font-size font-style font-variant font-weight height letter-spacing line-height list-style-type margin ' +
    'margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width overflow-wrap ' +
    'padding padding-bottom padding-left padding-right padding-top text-align text-decoration text-indent ' +
    'text-transform vertical-align white-space width word-break'
  ).split(' '),
);
/** Values without functions (except colours), escapes, comments and negative lengths. */
const STYLE_VALUE =
  /^(?:(?:rgb|hsl)a?\([\w\s.,%/]+\)|#[\da-f]{3,8}\b|"[\w\s-]*"|'[\w\s-]*'|[\w\s.,%/]|(?<=[a-z])-(?=[a-z]))+$/i;
const MAX_STYLE_VALUE_LENGTH = 200;

/**
 * The attributes to keep on an element besides its style, and the number of remote addresses that were disabled. Links open in a new
 * window and send no referrer. Remote pictures keep their address in `data-src`, as do pictures inside the mail
 * (`cid:`), which a page looks up among the attachments.
 */
export function attributesOf(
  element: string,
  given: readonly Attribute[],
): { attributes: Attribute[]; remote: number } {
  const attributes = given.flatMap((attribute) => keep(element, attribute));
  return { attributes, remote: given.filter(isRemote).length };
}

function keep(element: string, { name, value }: Attribute): Attribute[] {
  if (PLAIN.has(name)) return [{ name, value }];
  const address = plainAddress(value);
  if (name === 'href' && element === 'a' && LINK.test(address)) {
    return [
      { name, value: address },
      { name: 'rel', value: 'noopener noreferrer nofollow' },
      { name: 'target', value: '_blank' },
    ];
  }
  if (name !== 'src' || element !== 'img') return [];
  if (INLINE_IMAGE.test(address)) return [{ name, value: address.replace(/\s/g, '') }];
  if (!REMOTE.test(address) && !EMBEDDED.test(address)) return [];
  return [{ name: 'data-src', value: address.replace(/^\/\//, 'https://') }];
}

function isRemote({ name, value }: Attribute): boolean {
  if (name === 'style') return /url\s*\(/i.test(value);
  return LOADING.has(name) && REMOTE.test(plainAddress(value));
}

/** An address as browsers read it, ignoring control characters. */
function plainAddress(value: string): string {
  return value.replace(/\p{Cc}/gu, '').trim();
}

/** Declarations by property, the last one of each; `!important` ones after all others. */
export function readStyle(texts: readonly string[]): Map<string, string> {
  const plain: [string, string][] = [];
  const important: [string, string][] = [];
  for (const declaration of texts.flatMap((text) => text.split(';'))) {
    const [name = '', ...rest] = declaration.split(':');
    const value = rest.join(':').trim();
    const strong = /!\s*important$/i.exec(value);
    const found = strong === null ? value : value.slice(0, strong.index).trim();
    (strong === null ? plain : important).push([name.trim().toLowerCase(), found]);
  }
  const style = new Map<string, string>();
  for (const [name, value] of [...plain, ...important]) {
    // The order of a property and its shorthand matters.
    style.delete(name);
    style.set(name, value);
  }
  return withColour(style);
}

/** The colour of a `background` becomes a property of its own. */
function withColour(style: Map<string, string>): Map<string, string> {
  for (const name of ['background', 'background-image']) {
    const colour = colourOfBackground(style.get(name) ?? '');
    style.delete(name);
    if (colour !== null && (name === 'background' || !style.has('background-color')))
      style.set('background-color', colour);
  }
  return style;
}

/** The part of a style that is kept, as text. */
export function writeStyle(style: ReadonlyMap<string, string>): string {
  return [...style]
    .map(([name, value]) => [name, name === 'font-family' ? plainFonts(value) : value] as const)
    .filter(
      ([name, value]) =>
        STYLES.has(name) &&
        value !== '' &&
        value.length <= MAX_STYLE_VALUE_LENGTH &&
        (name === 'font-family' || STYLE_VALUE.test(value)),
    )
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
}

const FONT = /^(?:"[\p{L}\p{N} _-]+"|'[\p{L}\p{N} _-]+'|-?\p{L}[\p{L}\p{N} _-]*)$/u;

/** The fonts of a list that are plain names, of any script, and of the system (`-apple-system`). */
const plainFonts = (list: string): string =>
  list
    .split(',')
    .map((font) => font.trim())
    .filter((font) => FONT.test(font))
    .join(',');
