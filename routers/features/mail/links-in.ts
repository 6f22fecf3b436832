import type { MessageRecord } from './record.js';

const MAX_LINKS = 50;
/** Of the text and of the HTML each, in UTF-16 units. */
const MAX_READ = 500_000;
const ADDRESS = /https?:\/\/[^\s<>"']{1,2000}/gi;
const ENDS = /(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/;

/** The web addresses in a mail, each once, those of its text first; at most 50. */
export function linksIn({ text, html }: Pick<MessageRecord, 'text' | 'html'>): string[] {
  const written = (text.slice(0, MAX_READ).match(ADDRESS) ?? []).map((address) => address.replace(ENDS, ''));
  const linked = [...html.slice(0, MAX_READ).matchAll(/\shref="(https?:\/\/[^"]{1,2000})"/gi)].map(
    ([, address = '']) => address.replaceAll('&amp;', '&'),
  );
  return [...new Set([...written, ...linked])].slice(0, MAX_LINKS);
}
