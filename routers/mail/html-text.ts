import type { SanitiseMail } from '../ports/mail-tools.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
};
/** A tag as serialised: values are in double quotes, and only they may contain a `>`. */
const TAG = /(<(?:"[^"]*"|[^">])*>?)/;
const LINE_END = /^<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6])\b/;
/** Other tags that words on both sides do not touch across. */
const BLOCK_EDGE =
  /^<\/?(?:address|article|aside|blockquote|caption|center|d[dlt]|div|fieldset|fig(?:ure|caption)|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|t(?:body|foot|head|r)|ul)\b/;
const CELL_END = /^<\/t[dh]\b/;
const ADDRESS = / href="([^"]*)"/;

/** The text of an HTML mail, for clients that show only text; see `sanitisedToText`. */
export async function htmlToText(sanitise: SanitiseMail, source: string): Promise<string> {
  return sanitisedToText((await sanitise(source)).html);
}

/**
 * The text of sanitised HTML, which is well-formed: every tag is closed, and there is no code between tags.
 * Paragraphs are separated, and a link's address follows its text unless both are the same.
 */
export function sanitisedToText(html: string): string {
  const pieces: string[] = [];
  let link = { address: '', start: 0 };
  for (const piece of html.split(TAG)) {
    if (!piece.startsWith('<')) pieces.push(piece);
    else if (LINE_END.test(piece)) pieces.push('\n');
    else if (BLOCK_EDGE.test(piece)) startLine(pieces);
    else if (CELL_END.test(piece)) pieces.push(' ');
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

/** Ends a line, unless nothing has been written on it. */
function startLine(pieces: string[]): void {
  const last = pieces.findLast((piece) => piece === '\n' || piece.trim() !== '');
  if (last !== undefined && !last.slice(last.trimEnd().length).includes('\n')) pieces.push('\n');
}
