import { t } from '../../../../routers/base/language/i18n.js';
import type { Highlighted } from '../../../../routers/base/ports/highlight.js';

/** Each line number is a link of about 100 bytes: a million short lines would become a page of 150 MB. */
const MAX_NUMBERED_LINES = 20_000;

/**
 * Text with line numbers to link to, for up to 20,000 lines. Long lines scroll, or wrap when `data-wrap` is pressed.
 */
export function Code({
  text,
  label,
  part = '',
}: {
  readonly text: Highlighted;
  readonly label: string;
  /** Before the names of its lines, where a page has several texts. */
  readonly part?: string | undefined;
}) {
  // Code keeps its direction, whatever a comment in it contains; in prose, each line has its own.
  const dir = text.language === null ? ' dir="auto"' : '';
  const html =
    text.lines.length > MAX_NUMBERED_LINES
      ? `<span class="unnumbered"${dir}>${text.lines.map(marked).join('\n')}</span>`
      : text.lines.map((line, index) => numbered(line, index + 1, dir, part)).join('');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="code" id={`${part}code`} aria-label={label} tabIndex={0}>
      {/* highlight() escapes; a vnode for each token of a long text would cost seconds */}
      <pre dangerouslySetInnerHTML={{ __html: `<code>${html}</code>` }} />
    </section>
  );
}

/** Characters that change the order in which the rest of a line is shown, or that show nothing at all. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Those that make a line look like another one. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether a text looks different from what a program reads. */
export const isReordered = ({ lines }: Highlighted): boolean => lines.some((line) => REORDERING.test(line));

/** Shows the names of unseen characters, which lose their effect; they are still copied as they are. */
const marked = (line: string): string =>
  line.replace(UNSEEN, (character) => {
    const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return `<span class="codepoint" data-name="${name}">${character}</span>`;
  });

const numbered = (line: string, number: number, dir: string, part: string): string =>
  `<span class="line" id="${part}L${number}"><a href="#${part}L${number}" data-line="${number}" tabindex="-1" aria-label="${t('Line {number}', { number })}"></a><span${dir}>${marked(line)}\n</span></span>`;
