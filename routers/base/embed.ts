import type { EmbedSettings } from './embed-settings.js';

/** The values of the placeholders. */
export interface EmbedValues {
  /** `uniqueId` of the item. */
  readonly uid: string;
  /** In bytes; shown as a readable size. */
  readonly size: number | null;
  readonly filetype: string | null;
  readonly uploader: string;
  readonly username: string;
  readonly url: string;
}

/** Settings applied to one item. `titleUrl` is http(s) or null, `color` is `#rrggbb` or null. */
export interface Embed {
  readonly title: string | null;
  readonly titleUrl: string | null;
  readonly description: string | null;
  readonly color: string | null;
  readonly authorName: string | null;
}

const PLACEHOLDER = /\{(uid|size|filetype|uploader|username|url)\}/g;
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/**
 * Replaces `{uid} {size} {filetype} {uploader} {username} {url}` in one pass, so that placeholders in values
 * are never expanded. Unknown placeholders stay, absent values become empty.
 */
export function expandPlaceholders(template: string, values: EmbedValues): string {
  return template.replace(PLACEHOLDER, (_match, name: keyof EmbedValues) => {
    const value = values[name];
    return typeof value === 'number' ? readableSize(value) : (value ?? '');
  });
}

/** Settings with all placeholders expanded; null if there are none or they are disabled. */
export function renderEmbed(settings: EmbedSettings | null, values: EmbedValues): Embed | null {
  if (settings === null || !settings.enabled) return null;
  const expand = (template: string | null) => {
    const text = template === null ? '' : expandPlaceholders(template, values).trim();
    return text === '' ? null : text;
  };
  return {
    title: expand(settings.title),
    titleUrl: webAddress(expand(settings.titleUrl)),
    description: expand(settings.description),
    color: plainColor(settings.color),
    authorName: expand(settings.authorName),
  };
}

/** A readable size: `512 B`, `1.5 MB`. Steps of 1024. */
export const readableSize = (bytes: number): string => sizeWith(bytes, String);

/** As `readableSize`, its number written by `written`. */
export function sizeWith(bytes: number, written: (value: number) => string): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** step;
  return `${written(step === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10)} ${UNITS[step]}`;
}

/** `#rrggbb` of a setting; `random` gives a different colour on each call. Null if it is not a colour. */
export function plainColor(color: string | null): string | null {
  if (color === null) return null;
  if (color.toLowerCase() === 'random') {
    return `#${Math.floor(Math.random() * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`;
  }
  if (/^#[0-9a-f]{6}$/i.test(color)) return color.toLowerCase();
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  return short === null
    ? null
    : `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`.toLowerCase();
}

function webAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
