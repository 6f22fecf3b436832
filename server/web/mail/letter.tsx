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
            {passage.text}
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
