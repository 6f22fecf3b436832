import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { keepFromBlocking } from './http/node-internals.js';

/** Lines are buffered up to this many bytes, or for `FLUSH_MS`, before they are written. */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 200;
/** Maximum bytes buffered for a reader that has stopped reading; further lines are lost. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** The delay before lines are offered again to a reader whose pipe is full. */
const RETRY_MS = 100;
/** How long the last lines are offered to such a reader before the process exits without them. */
const LAST_MS = 1_000;

/**
 * Standard output for log lines. Never blocks and never fails, whatever becomes of its reader: a process must be able
 * to serve and to exit although nobody reads its log any more. (Loggers that retry for ever, or write to a pipe that
 * blocks, keep the process alive.)
 */
export class LogOutput {
  #fd: number | null = null;
  #watchesExit = false;
  #waiting = '';
  /** Bytes that were taken from `#waiting` and are not written yet. */
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;
  /** What is being written at the moment. */
  #writing: Promise<void> | null = null;
  /** The reader has left: nothing is kept any more. */
  #gone = false;

  /** Adds lines; they are lost if the reader has left or too many wait for it. */
  write(lines: string): void {
    if (this.#gone || this.#waiting.length + this.#taken > MAX_WAITING_BYTES) return;
    if (!this.#watchesExit) {
      // After a crash no other turn of the event loop follows, in which the last lines could be written.
      process.once('exit', () => this.#writeLast());
      this.#watchesExit = true;
    }
    this.#waiting += lines;
    if (this.#waiting.length >= BUFFER_BYTES) void this.#drain();
    else this.#timer ??= setTimeout(() => void this.#drain(), FLUSH_MS).unref();
  }

  /** Resolves when all lines are written, the reader has left, or it has taken nothing for a second. */
  async flush(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_MS);
    });
    await Promise.race([this.#drain(), limit]);
    clearTimeout(timer);
    this.#gone = true;
  }

  async #drain(): Promise<void> {
    while (this.#waiting !== '' || this.#writing !== null) {
      this.#writing ??= this.#writeWaiting().finally(() => {
        this.#writing = null;
      });
      await this.#writing;
    }
  }

  async #writeWaiting(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const fd = this.#open();
    let rest = Buffer.from(this.#waiting);
    this.#waiting = '';
    for (;;) {
      this.#taken = rest.length;
      if (rest.length === 0 || this.#gone) return;
      const written = await writeSome(fd, rest);
      if (written instanceof Error) {
        if (isFull(written)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
        // A full disk can have room again later; these lines are lost.
        else if (written.code === 'ENOSPC' || written.code === 'EDQUOT') rest = rest.subarray(rest.length);
        else this.#leave();
      } else rest = rest.subarray(written);
    }
  }

  /** Nothing can be reported about a lost log: this was the place for it. */
  #leave(): void {
    this.#gone = true;
    this.#waiting = '';
  }

  #open(): number {
    if (this.#fd !== null) return this.#fd;
    this.#fd = openOutput();
    return this.#fd;
  }

  /** What can be written at once. */
  #writeLast(): void {
    if (this.#gone || this.#waiting === '') return;
    try {
      if (this.#open() === process.stdout.fd) keepFromBlocking(process.stdout);
      writeSync(this.#open(), this.#waiting);
    } catch {
      this.#leave();
    }
  }
}

/**
 * A descriptor of standard output that does not block. Pipes and terminals are opened a second time, because every
 * process that shares the first descriptor can make it blocking again, as Node does whenever it starts a process.
 */
function openOutput(): number {
  const { fd } = process.stdout;
  try {
    if (!fstatSync(fd).isFIFO() && !isatty(fd)) return fd;
    const own = openSync(
      `/proc/self/fd/${fd}`,
      constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY,
    );
    if (fstatSync(own).ino === fstatSync(fd).ino) return own;
    closeSync(own);
  } catch {
    // There is no /proc, it belongs to another user, or the reader has left already.
  }
  return fd;
}

const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';

/** Writes as many bytes as the reader takes at the moment. */
async function writeSome(fd: number, bytes: Buffer): Promise<number | NodeJS.ErrnoException> {
  // What cannot be opened a second time: sockets. Another thread would write later, when a process that ends may have
  // made the socket blocking again; no process can exit while one of its threads is blocked.
  if (fd === process.stdout.fd && keepFromBlocking(process.stdout)) return writeAtOnce(fd, bytes);
  return new Promise((resolve) =>
    write(fd, bytes, 0, bytes.length, null, (error, written) => resolve(error ?? written)),
  );
}

function writeAtOnce(fd: number, bytes: Buffer): number | NodeJS.ErrnoException {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
