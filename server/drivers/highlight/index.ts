import type { Highlight, Highlighted } from '../../../routers/base/ports/highlight.js';
import { WorkerPool } from '../media/workers/worker-pool.js';

/** Longer texts, in characters, stay plain. */
const MAX_CHARACTERS = 100_000;
/** For one text, including the start of the process, which stops a slow text by itself before that. */
const COLOUR_MS = 5_000;

/** Highlights in one worker process with a short queue: if the wait would be longer, the text stays plain. */
export function createHighlighter(): Highlight {
  const workers = new WorkerPool({ workers: 1, waiting: 16, patienceMs: 1_000, priority: 5 });
  return async (whole, language, name = null) => {
    const text = whole.replace(/\r?\n$/, '');
    if (text.length > MAX_CHARACTERS) return plain(text);
    try {
      return (await workers.run('colour', { text, language, name }, COLOUR_MS)) ?? plain(text);
    } catch {
      // Whatever went wrong with highlighting, the text itself is fine.
      return plain(text);
    }
  };
}

function plain(text: string): Highlighted {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { lines: escaped.split(/\r\n|\r|\n/), language: null };
}
