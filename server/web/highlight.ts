import { WorkerPool } from '../media/workers/worker-pool.js';
import type { Coloured } from './colour.js';

/** Text past this many characters is shown plain. */
const colouredLimit = 100_000;
/** For one text, the start of the process included, which ends a slow one by itself before. */
const COLOUR_MS = 5_000;

/** Text ready to be shown. */
export interface Highlighted extends Omit<Coloured, 'language'> {
  /** What it was coloured as; null when it was left plain. */
  readonly language: string | null;
}

/** One process, and a short line in front of it: whoever would wait longer reads the text plain. */
const colourers = new WorkerPool({ workers: 1, waiting: 16, patienceMs: 1_000, priority: 5 });

/**
 * The lines of a text, coloured outside this process as `language`, or as what it is guessed to be. A text over
 * 100,000 characters stays plain, as does one that takes too long or comes when many others wait. Never throws.
 */
export async function highlight(whole: string, language: string | null): Promise<Highlighted> {
  const text = whole.replace(/\r?\n$/, '');
  if (text.length > colouredLimit) return plain(text);
  try {
    return (await colourers.run('colour', { text, language }, COLOUR_MS)) ?? plain(text);
  } catch {
    // Whatever went wrong with the colours, the text itself is fine.
    return plain(text);
  }
}

function plain(text: string): Highlighted {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { lines: escaped.split(/\r\n|\r|\n/), language: null };
}
