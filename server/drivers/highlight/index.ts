import { WorkerPool } from '../media/workers/worker-pool.js';
import type { Coloured } from './colour.js';

/** Longer texts, in characters, stay plain. */
const colouredLimit = 100_000;
/** For one text, including the start of the process, which stops a slow text by itself before that. */
const COLOUR_MS = 5_000;

/** Text ready to be displayed. */
export interface Highlighted extends Omit<Coloured, 'language'> {
  /** The language it was highlighted as; null if it was left plain. */
  readonly language: string | null;
}

/** One worker process with a short queue: if the wait would be longer, the text stays plain. */
const colourers = new WorkerPool({ workers: 1, waiting: 16, patienceMs: 1_000, priority: 5 });

/**
 * The lines of a text, highlighted in a worker process as `language`, or as the language of a file with
 * this name, or as the detected language. A text over
 * 100,000 characters stays plain, as does one that takes too long or arrives while many others are queued. Never
 * throws.
 */
export async function highlight(
  whole: string,
  language: string | null,
  name: string | null = null,
): Promise<Highlighted> {
  const text = whole.replace(/\r?\n$/, '');
  if (text.length > colouredLimit) return plain(text);
  try {
    return (await colourers.run('colour', { text, language, name }, COLOUR_MS)) ?? plain(text);
  } catch {
    // Whatever went wrong with highlighting, the text itself is fine.
    return plain(text);
  }
}

function plain(text: string): Highlighted {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { lines: escaped.split(/\r\n|\r|\n/), language: null };
}
