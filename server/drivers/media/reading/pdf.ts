import { readFile } from 'node:fs/promises';
import type { Gathered } from './gathered.js';
import { spentMs } from './spent.js';

/** Larger ones would not fit into the memory of the process. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads the text of a PDF page by page; what is encrypted or damaged throws. Scripts in it are never run. */
export async function readPdf(path: string, text: Gathered, until: number): Promise<void> {
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
