import type { SanitiseMail } from '../ports/mail.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
};
/** A tag as it is serialised: values stand in double quotes, and only there may a `>` be. */
const TAG = /(<(?:"[^"]*"|[^">])*>?)/;
const LINE_END = /^<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b/;
const ADDRESS = / href="([^"]*)"/;

/** A plain reading of HTML for clients that show text only; see `sanitisedToText`. */
export async function htmlToText(sanitise: SanitiseMail, source: string): Promise<string> {
  return sanitisedToText((await sanitise(source)).html);
}

/**
 * A plain reading of HTML that was sanitised, which is well-formed: no tag is left open, and nothing between
 * tags is code. Paragraphs stay apart, and the address of a link follows its words unless it is what they say.
 */
export function sanitisedToText(html: string): string {
  const pieces: string[] = [];
  let link = { address: '', start: 0 };
  for (const piece of html.split(TAG)) {
    if (!piece.startsWith('<')) pieces.push(piece);
    else if (LINE_END.test(piece)) pieces.push('\n');
    else if (piece.startsWith('<a '))
      link = { address: ADDRESS.exec(piece)?.[1] ?? '', start: pieces.length };
    else if (piece === '</a>' && link.address !== '') {
      const words = pieces.slice(link.start).join('').trim();
      if (words !== link.address.replace(/^(?:mailto|tel):/i, '')) pieces.push(` &lt;${link.address}&gt;`);
      link = { address: '', start: 0 };
    }
  }
  return pieces
    .join('')
    .replace(/&(?:nbsp|lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
