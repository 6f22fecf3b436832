import { StringDecoder } from 'node:string_decoder';
import { type Token, Tokenizer } from 'parse5';
import type { Gathered } from './gathered.js';
import { spentMs } from './spent.js';

/** Where the text of a kind of XML is. Names are those without prefix, in lower case. */
export interface XmlText {
  /** Elements that decide whether the characters in them count, and whether they do. Others leave that as it is. */
  readonly counts: Readonly<Record<string, boolean>>;
  /** Elements at whose beginning or end words do not touch. */
  readonly parts: ReadonlySet<string>;
  /** What decides instead, by the attributes of an element; undefined where nothing else does. */
  readonly decide?: (name: string, attributes: Token.TagToken['attrs']) => boolean | undefined;
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase();

/** Nesting of elements that decide; deeper ones are made to be deep. */
const MAX_DEPTH = 1_000;

/** Takes the words of XML from its bytes, which may be damaged; ends when enough was read. */
export async function wordsOfXml(
  content: AsyncIterable<Buffer>,
  form: XmlText,
  text: Gathered,
  until: number,
): Promise<void> {
  const open: { readonly name: string; readonly counts: boolean }[] = [];
  const add = ({ chars }: Token.CharacterToken): void => {
    if (open.at(-1)?.counts === true) text.add(chars);
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onComment() {},
      onDoctype() {},
      onEof() {},
      onNullCharacter() {},
      onCharacter: add,
      onWhitespaceCharacter: add,
      onStartTag({ tagName, selfClosing, attrs }: Token.TagToken) {
        const name = localName(tagName);
        const counts = form.decide?.(name, attrs) ?? form.counts[name];
        if (form.parts.has(name)) text.add('\n');
        if (counts !== undefined && !selfClosing && open.length < MAX_DEPTH) open.push({ name, counts });
      },
      onEndTag({ tagName }: Token.TagToken) {
        const name = localName(tagName);
        if (form.parts.has(name)) text.add('\n');
        const at = open.findLastIndex((one) => one.name === name);
        if (at >= 0) open.length = at;
      },
    },
  );
  // XML may have CDATA anywhere.
  tokenizer.inForeignNode = true;
  const decoder = new StringDecoder('utf8');
  for await (const chunk of content) {
    tokenizer.write(decoder.write(chunk), false);
    if (text.isFull || spentMs() > until) return;
  }
  tokenizer.write(decoder.end(), true);
}
