import type { ComponentChildren } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';

/** Lines of a mail that quote another, and those that do not. */
interface Passage {
  readonly quoted: boolean;
  readonly text: string;
}

/** Quotes of fewer lines stay as they are. */
const FOLDED_LINES = 3;

/** A plain text; longer quotes can be opened. */
export function Letter({ text }: { readonly text: string }) {
  return (
    <>
      {passagesOf(text).map((passage, index) => {
        const lines = passage.text.split('\n').length;
        const letter = (
          <pre class="letter" dir="auto" key={String(index)}>
            {withLinks(passage.text)}
          </pre>
        );
        if (!passage.quoted || lines < FOLDED_LINES) return letter;
        return (
          <details class="quote" key={String(index)}>
            <summary>{t('Quoted text, {lines, plural, one {# line} other {# lines}}', { lines })}</summary>
            {letter}
          </details>
        );
      })}
    </>
  );
}

/** Addresses of the web in a text; what ends a sentence is no part of one. */
const ADDRESS = /https?:\/\/[^\s<>"]{1,2000}/gi;
const ENDS = ".,;:!?)]'*";

/** The text with its addresses as links, which open beside and name nobody. */
function withLinks(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    let end = found.length;
    while (ENDS.includes(found.charAt(end - 1))) end -= 1;
    const address = found.slice(0, end);
    if (!URL.canParse(address)) continue;
    parts.push(
      text.slice(at, index),
      <a key={index} href={address} target="_blank" rel="noreferrer nofollow">
        {address}
      </a>,
    );
    at = index + end;
  }
  return [...parts, text.slice(at)];
}

function passagesOf(text: string): Passage[] {
  const passages: { quoted: boolean; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const quoted = line.startsWith('>');
    const last = passages.at(-1);
    if (last?.quoted === quoted) last.lines.push(line);
    else passages.push({ quoted, lines: [line] });
  }
  return passages.map(({ quoted, lines }) => ({ quoted, text: lines.join('\n') }));
}
