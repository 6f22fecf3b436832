/** Diagrams in Mermaid, drawn where a page has their text, each in a closed frame while it is in sight. */
import { t } from '../speech.js';
import { tv } from '../values.js';
import type { Asked, Told } from './messages.js';

/** The document of the frames, which the build names. */
declare const DRAWING_FRAME: string;

/** Longer texts stay texts. */
const MAX_CHARACTERS = 20_000;
const MAX_HEIGHT = 2_400;
/** A frame that says nothing for so long is stopped; it stops by itself before, unless the browser is to blame. */
const PATIENCE_MS = 20_000;

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
};

/** No further one is tried: each may keep a page busy that shares its process with its frames. */
let isTooLong = false;

class Drawing {
  readonly #place = document.createElement('div');
  readonly #sight: IntersectionObserver;
  #frame: HTMLIFrameElement | null = null;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly source: HTMLElement) {
    source.before(this.#place);
    addEventListener('message', ({ source: from, data }: MessageEvent<Told>) => {
      if (this.#frame !== null && from === this.#frame.contentWindow) this.#hear(data);
    });
    // What is out of sight by far takes no memory.
    this.#sight = new IntersectionObserver(
      ([entry]) => (entry?.isIntersecting ? this.#show() : this.#hide()),
      { rootMargin: '1000px' },
    );
    this.#sight.observe(this.#place);
  }

  #show(): void {
    if (this.#frame !== null || isTooLong) return;
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = DRAWING_FRAME;
    frame.title = t('Diagram');
    Object.assign(frame.style, { background: 'none', border: '0', height: this.#place.style.height || '0' });
    this.#frame = frame;
    this.#place.append(frame);
  }

  #hide(): void {
    clearTimeout(this.#watch);
    this.#frame?.remove();
    this.#frame = null;
  }

  /** Has it drawn, or drawn again in other colours. */
  ask(): void {
    clearTimeout(this.#watch);
    if (this.#frame === null) return;
    const asked: Asked = { text: this.source.textContent ?? '', dark: isDark() };
    // It has no origin.
    this.#frame.contentWindow?.postMessage(asked, '*');
    this.#watch = setTimeout(() => this.#fail(null), PATIENCE_MS);
  }

  #hear(told: Told): void {
    clearTimeout(this.#watch);
    if ('ready' in told) this.ask();
    else if ('failed' in told) this.#fail(told.failed);
    else this.#grow(told.height);
  }

  #grow(pixels: number): void {
    this.#place.style.height = `${Math.min(MAX_HEIGHT, Number(pixels) || 0)}px`;
    if (this.#frame !== null) this.#frame.style.height = this.#place.style.height;
    this.#fold();
  }

  /** The text stays beside what is drawn of it. */
  #fold(): void {
    if (this.source.parentElement?.localName === 'details') return;
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    summary.textContent = t('Source');
    this.source.before(details);
    details.append(summary, this.source);
  }

  #fail(why: string | null): void {
    isTooLong ||= why === null;
    this.#sight.disconnect();
    this.#hide();
    const hint = document.createElement('p');
    hint.className = 'hint';
    hint.textContent =
      why === null
        ? t('This diagram takes too long to draw')
        : tv('This diagram cannot be drawn: {why}', { why });
    this.#place.replaceWith(hint);
  }
}

/** Draws each diagram whose text is in an element, as it comes into sight. */
export function drawIn(element: ParentNode): void {
  const drawings = [...element.querySelectorAll<HTMLElement>('pre:has(> .language-mermaid)')]
    .filter(({ textContent }) => (textContent?.length ?? 0) <= MAX_CHARACTERS)
    .map((source) => new Drawing(source));
  const again = (): void => {
    for (const drawing of drawings) drawing.ask();
  };
  new MutationObserver(again).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
}
