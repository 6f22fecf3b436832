/** How far beyond the limit to look for the end of a character. Longer ones are made to be long. */
const MAX_CHARACTER_LENGTH = 64;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The beginning of a text, at most `limit` UTF-16 units, cut where a character ends as readers see it: no half emoji,
 * no letter without its accent.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const near = text.slice(0, limit + MAX_CHARACTER_LENGTH);
  const end = characters.segment(near).containing(limit)?.index ?? limit;
  // A single endless character is cut between code points.
  return end > 0 ? near.slice(0, end) : near.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

/** A file name of at most `limit` UTF-16 units that keeps its extension. */
export function cutName(name: string, limit: number): string {
  if (name.length <= limit) return name;
  const extension = /\.[\p{L}\p{N}_-]{1,16}$/u.exec(name)?.[0] ?? '';
  return cutText(name.slice(0, name.length - extension.length), limit - extension.length) + extension;
}
