import { readFile } from 'node:fs/promises';
import type { TaskRunner } from '../workers/tasks.js';
import { Gathered } from './gathered.js';
import { PACKAGES, readPackage } from './packed.js';
import { spentMs } from './spent.js';

/** Larger ones would not fit into the memory of the process. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads the text of a PDF page by page; what is encrypted or damaged throws. Scripts in it are never run. */
async function readPdf(path: string, text: Gathered, until: number): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length > MAX_BYTES) throw new Error('too large');
  const { getDocumentProxy } = await import('unpdf');
  const pdf = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items)
      if ('str' in item && !text.add(item.hasEOL ? `${item.str}\n` : item.str)) return;
    page.cleanup();
    if (!text.add('\n') || spentMs() > until) return;
  }
}

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
