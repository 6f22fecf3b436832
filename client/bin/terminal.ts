import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Interrupted } from './command.js';

/** After so long without anything on standard input somebody may wonder what is going on, in milliseconds. */
const PATIENCE_MS = 2_000;
/** What shells say of a command that Ctrl-C has ended. */
const CTRL_C = 130;

/** Standard input, which tells on standard error that it is waited for when nothing comes. */
export function standardInput(): Readable {
  const { stdin } = process;
  const say = () => process.stderr.write('holdall: waiting for standard input; Ctrl-D ends it\n');
  const timer = setTimeout(say, stdin.isTTY ? 0 : PATIENCE_MS);
  for (const event of ['data', 'end', 'close']) stdin.once(event, () => clearTimeout(timer));
  return stdin;
}

/** Everything on standard input. */
export const readInput = (): Promise<Buffer> => buffer(standardInput());

/** One line from a person, not shown while it is typed, or the first line of what is piped in. Throws `Interrupted`. */
export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await readInput()).toString().split('\n', 1)[0]?.trim() ?? '';
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Not before the terminal is told to hand over each key.
  process.stderr.write(question);
  try {
    const ended = once(lines, 'close').then(() => Promise.reject(new Interrupted(CTRL_C)));
    const typed = lines.question('').catch(() => Promise.reject(new Interrupted(CTRL_C)));
    return (await Promise.race([typed, ended])).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/**
 * Prints a link; one of several has a line of its own. A link alone goes into a pipe without a line end, so that the
 * clipboard holds nothing else: `holdall upload cat.jpg | wl-copy`.
 */
export function printLink(link: string, alone = true): void {
  process.stdout.write(process.stdout.isTTY || !alone ? `${link}\n` : link);
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
