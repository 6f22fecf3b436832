import type { RenderMarkdown } from '../../../routers/base/ports/markdown.js';
import { WorkerPool } from '../media/workers/worker-pool.js';

/** Longer texts, in characters, are not rendered; of a notebook, most is pictures. */
const MAX_CHARACTERS = { markdown: 512 * 1024, notebook: 1024 * 1024 };
/** For one text, including the start of the process, which stops a slow text by itself before that. */
const RENDER_MS = 5_000;

/** Renders in one worker process with a short queue: whatever a text does to the parser, the server goes on. */
export function createMarkdown(): RenderMarkdown {
  const workers = new WorkerPool({ workers: 1, waiting: 16, patienceMs: 1_000, priority: 5 });
  return async (text, form = 'markdown') => {
    if (text.length > MAX_CHARACTERS[form]) return null;
    try {
      return await workers.run(form, { text }, RENDER_MS);
    } catch {
      // The text itself is fine, and can be shown as it is.
      return null;
    }
  };
}
