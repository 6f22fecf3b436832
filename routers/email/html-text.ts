import type { SanitiseMail } from '../ports-mail.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
};

/** A plain reading of HTML for clients that show text only; paragraphs stay apart. */
export async function htmlToText(sanitise: SanitiseMail, source: string): Promise<string> {
  // What comes out of it is well-formed: no tag is left open, and nothing between tags is code.
  const { html } = await sanitise(source);
  return html
    .replace(/<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b[^>]*>?/g, '\n')
    .replace(/<[^>]*>?/g, '')
    .replace(/&(?:nbsp|lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
