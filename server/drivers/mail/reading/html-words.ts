import { type Token, Tokenizer, TokenizerMode } from 'parse5';

/** Elements whose content is no text. */
const SILENT: Readonly<Record<string, number>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
};
const CELL = new Set(['td', 'th']);
/** Elements that words on both sides do not touch across. */
const BLOCK = new Set(
  (
    'address article aside blockquote body br caption center dd div dl dt fieldset figcaption figure footer form h1 ' +
    'h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul'
  ).split(' '),
);

/**
 * The words of HTML of any size and depth, read by the tokeniser of browsers without building a tree: it takes memory
 * for its result only. What style sheets hide is included. At most `limit` UTF-16 units; `cut` if there are more.
 */
export function wordsOfHtml(source: string, limit: number): { readonly text: string; readonly cut: boolean } {
  const pieces: string[] = [];
  let length = 0;
  let cut = false;
  let silent = '';
  const add = (piece: string): void => {
    if (silent !== '' || cut) return;
    length += piece.length;
    if (length > limit) cut = true;
    else pieces.push(piece);
  };
  const edge = (name: string): void => {
    if (BLOCK.has(name)) add('\n');
    else if (CELL.has(name)) add(' ');
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onComment() {},
      onDoctype() {},
      onEof() {},
      onNullCharacter() {},
      onCharacter: ({ chars }: Token.CharacterToken) => add(chars),
      onWhitespaceCharacter: () => add(' '),
      onStartTag({ tagName }: Token.TagToken) {
        edge(tagName);
        const mode = SILENT[tagName];
        if (mode === undefined || silent !== '') return;
        silent = tagName;
        tokenizer.state = mode as typeof tokenizer.state;
      },
      onEndTag({ tagName }: Token.TagToken) {
        if (tagName === silent) silent = '';
        edge(tagName);
      },
    },
  );
  tokenizer.write(source, true);
  const text = pieces
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { text, cut };
}
