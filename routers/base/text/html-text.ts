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

/**
 * The text of sanitised HTML, which is well-formed: every tag is closed, and there is no code between tags.
 * Paragraphs are separated, and a link's address follows its text unless both are the same.
 */
export function sanitisedToText(html: string): string {
  const pieces: string[] = [];
  /** Whether nothing has been written on the line: looked up backwards, thousands of empty blocks would take seconds. */
  let isNewLine = true;
  let link = { address: '', start: 0 };
  for (const piece of html.split(TAG)) {
    if (!piece.startsWith('<')) {
      pieces.push(piece);
      if (piece.trim() !== '') isNewLine = piece.slice(piece.trimEnd().length).includes('\n');
    } else if (LINE_END.test(piece) || (BLOCK_EDGE.test(piece) && !isNewLine)) {
      pieces.push('\n');
      isNewLine = true;
    } else if (CELL_END.test(piece)) pieces.push(' ');
    else if (piece.startsWith('<a '))
      link = { address: ADDRESS.exec(piece)?.[1] ?? '', start: pieces.length };
    else if (piece === '</a>' && link.address !== '') {
      const words = pieces.slice(link.start).join('').trim();
      if (words !== link.address.replace(/^(?:mailto|tel):/i, '')) {
        pieces.push(` &lt;${link.address}&gt;`);
        isNewLine = false;
      }
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
