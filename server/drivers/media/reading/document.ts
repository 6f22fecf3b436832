import type { TaskRunner } from '../workers/tasks.js';
import { Gathered } from './gathered.js';
import { PACKAGES, readPackage } from './packed.js';
import { readPdf } from './pdf.js';
import { spentMs } from './spent.js';

/** What is read by then is enough: the process is stopped soon after. */
const READING_MS = 20_000;

/** The text of a document, as far as it can be read in time; null if nothing can. */
export const documentWords: TaskRunner<'documentWords'> = async ({ path, type }) => {
  const text = new Gathered();
  const until = spentMs() + READING_MS;
  try {
    const form = PACKAGES[type];
    await (form === undefined ? readPdf(path, text, until) : readPackage(path, form, text, until));
  } catch (error) {
    // The disk is to blame, not the document.
    if (error instanceof Error && 'syscall' in error) throw error;
  }
  return text.text() || null;
};
