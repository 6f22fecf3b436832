import type { Highlighted } from '../highlight.js';

/** Text with line numbers one can link to. Long lines scroll, or wrap when `data-wrap` is pressed. */
export function Code({ text, label }: { readonly text: Highlighted; readonly label: string }) {
  // Code keeps its order whatever a comment in it says; each line of prose has its own.
  const dir = text.language === null ? ' dir="auto"' : '';
  const lines = text.lines.map(
    (line, index) =>
      `<span class="line" id="L${index + 1}"><a href="#L${index + 1}" data-line="${index + 1}" tabindex="-1" aria-label="Line ${index + 1}"></a><span${dir}>${line}\n</span></span>`,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="code" id="code" aria-label={label} tabIndex={0}>
      {/* highlight() escapes; a vnode for each token of a long text would cost seconds */}
      <pre dangerouslySetInnerHTML={{ __html: `<code>${lines.join('')}</code>` }} />
    </section>
  );
}
