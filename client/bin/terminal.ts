import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Everything on standard input. */
export const readInput = (): Promise<string> => text(process.stdin);

/** One line from a person, not shown while it is typed, or the first line of what is piped in. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readInput()).split('\n', 1)[0]?.trim() ?? '';
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/**
 * Prints links, one a line. A link alone goes into a pipe without a line end, so that the clipboard holds
 * nothing else: `holdall upload cat.jpg | wl-copy`.
 */
export function printLinks(links: readonly string[]): void {
  const end = process.stdout.isTTY || links.length !== 1 ? '\n' : '';
  process.stdout.write(`${links.join('\n')}${end}`);
}

/** Prints a record as JSON, for scripts. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

const BAR_WIDTH = 30;
const REDRAW_MS = 100;

/** A bar on standard error, drawn again as work goes on. */
export interface Bar {
  update(done: number, total: number): void;
  /** Takes the bar away. */
  end(): void;
}

/** A progress bar with a label; one that draws nothing where nobody looks at a terminal. */
export function progressBar(label: string, show: (amount: number) => string = String): Bar {
  const terminal = process.stderr;
  if (!terminal.isTTY) return { update: () => {}, end: () => {} };
  let drawnAt = 0;
  return {
    update: (done, total) => {
      if (Date.now() - drawnAt < REDRAW_MS && done < total) return;
      drawnAt = Date.now();
      const share = total === 0 ? 1 : done / total;
      const full = Math.round(share * BAR_WIDTH);
      const bar = `${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}`;
      const line = `${label} [${bar}] ${Math.floor(share * 100)} %  ${show(done)} of ${show(total)}`;
      terminal.write(`\r\u001b[K${line.slice(0, terminal.columns - 1)}`);
    },
    end: () => {
      terminal.write('\r\u001b[K');
    },
  };
}

/** Bytes as people read them. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
