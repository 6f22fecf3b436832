import type { Highlighted } from '../highlight.js';

/** Each line number is a link of about 100 bytes: a million short lines would become a page of 150 MB. */
const MOST_NUMBERED = 20_000;

/**
 * Text with line numbers to link to, for up to 20,000 lines. Long lines scroll, or wrap when `data-wrap` is pressed.
 */
export function Code({ text, label }: { readonly text: Highlighted; readonly label: string }) {
  // Code keeps its direction, whatever a comment in it contains; in prose, each line has its own.
  const dir = text.language === null ? ' dir="auto"' : '';
  const html =
    text.lines.length > MOST_NUMBERED
      ? `<span class="unnumbered"${dir}>${text.lines.join('\n')}</span>`
      : text.lines.map((line, index) => numbered(line, index + 1, dir)).join('');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="code" id="code" aria-label={label} tabIndex={0}>
      {/* highlight() escapes; a vnode for each token of a long text would cost seconds */}
      <pre dangerouslySetInnerHTML={{ __html: `<code>${html}</code>` }} />
    </section>
  );
}

const numbered = (line: string, number: number, dir: string): string =>
  `<span class="line" id="L${number}"><a href="#L${number}" data-line="${number}" tabindex="-1" aria-label="Line ${number}"></a><span${dir}>${line}\n</span></span>`;
