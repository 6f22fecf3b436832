/**
 * Draws a diagram in Mermaid. The document of a frame without an origin: it loads nothing, and nothing that a text says
 * runs (its policy is in `server/web/serving/assets.ts`).
 */
import type { Asked, Told } from './messages.js';

/** The part of Mermaid used here; the build puts it in front (`server/operations/build/drawing-frame.mjs`). */
declare const mermaid: {
  initialize(options: object): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
};

declare global {
  /** When a drawing is stopped, as `performance.now()` has it (`server/operations/build/bounded.mjs`). */
  var boundedUntil: number;
}

const MAX_MS = 5_000;
/** Below this share of its size a diagram cannot be read, and the frame scrolls. */
const LEAST = 0.6;
const MAX_REASON = 300;

const tell = (told: Told): void => parent.postMessage(told, '*');

/** With the bar by which it may scroll. */
const sizes = new ResizeObserver(() =>
  tell({ height: document.body.offsetHeight + innerHeight - document.documentElement.clientHeight }),
);

addEventListener('message', ({ source, data }: MessageEvent<Asked>) => {
  if (source === parent) void draw(data);
});
tell({ ready: true });

async function draw({ text, dark }: Asked): Promise<void> {
  const until = performance.now() + MAX_MS;
  globalThis.boundedUntil = until;
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      theme: dark ? 'dark' : 'default',
      fontFamily: 'system-ui, sans-serif',
    });
    const { svg } = await mermaid.render('diagram', text);
    document.body.innerHTML = svg;
  } catch (error) {
    const isLate = performance.now() > until;
    return tell({ failed: isLate ? null : String((error as Error).message).slice(0, MAX_REASON) });
  } finally {
    globalThis.boundedUntil = Number.POSITIVE_INFINITY;
  }
  arrange();
}

function arrange(): void {
  const drawing = document.querySelector('svg');
  if (drawing === null) return;
  // Nothing leads out of the frame.
  for (const link of drawing.querySelectorAll('a'))
    for (const { name } of [...link.attributes]) if (/href$/.test(name)) link.removeAttribute(name);
  const natural = drawing.viewBox.baseVal?.width ?? 0;
  Object.assign(document.body.style, { margin: '0', textAlign: 'center' });
  Object.assign(drawing.style, { minWidth: `${Math.round(natural * LEAST)}px`, verticalAlign: 'top' });
  sizes.disconnect();
  sizes.observe(drawing);
}
