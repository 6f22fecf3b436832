import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Interrupted } from './command.js';

/** After this time without input the user is told what the command waits for, in milliseconds. */
const PATIENCE_MS = 2_000;
/** The exit code that shells report for a command ended by Ctrl-C. */
const CTRL_C = 130;

/** Standard input. Says on standard error that it is waiting when nothing arrives. */
export function standardInput(): Readable {
  const { stdin } = process;
  const say = () => process.stderr.write('holdall: waiting for standard input; press Ctrl-D to finish\n');
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
  // Only now, because the terminal must not echo what is typed.
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

/** What a server says, on one line, in which nothing controls the terminal. */
export const inLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

/**
 * Prints a link. One of several gets its own line. A single link goes into a pipe without a line end, so that the
 * clipboard holds nothing else: `holdall upload cat.jpg | wl-copy`.
 */
export function printLink(link: string, alone = true): void {
  const plain = inLine(link);
  process.stdout.write(process.stdout.isTTY || !alone ? `${plain}\n` : plain);
}

/** Prints a record as JSON, for scripts. */
export function printJson(value: unknown): void {
  // JSON escapes only the older half of what controls a terminal.
  const json = JSON.stringify(value, null, 2).replace(/\p{Cc}/gu, (sign) =>
    sign === '\n' ? sign : `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
  process.stdout.write(`${json}\n`);
}

const BAR_WIDTH = 30;
const REDRAW_MS = 100;

interface Bar {
  update(done: number, total: number): void;
  /** Removes the bar. */
  end(): void;
}

/** A progress bar with a label; draws nothing if standard error is not a terminal. */
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
