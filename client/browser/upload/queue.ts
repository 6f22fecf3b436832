import { RESUMABLE_FROM_BYTES } from '../../src/parts.js';
import { find } from '../find.js';
import { t } from '../speech.js';
import { tv } from '../values.js';
import { show, state } from './row.js';
import { Cancelled, type On, Paused, Refused, type Transfer } from './transfer.js';

/** The longest time that the server may ask us to wait, in seconds. */
const MAX_PAUSE_SECONDS = 15 * 60;

/** A file to send, and its row. */
export interface Queued {
  readonly file: File;
  readonly row: HTMLElement;
}

/** How the files of a queue are sent. */
interface Sending<I extends Queued, T> {
  /** How many files are sent at once. */
  readonly atOnce: number;
  begin(item: I, on: On): Transfer<T>;
  received(item: I, answer: T): void;
  /** Says why a file was not received. */
  refused(item: I, error: unknown): void;
  /** A file is not sent after all. */
  ended?(item: I): void;
  /** A part of a file has been sent. */
  progress?(item: I, share: number): void;
  /** One more file has come to its end. */
  settled?(): void;
}

/** The form of a page with a queue: its list, and its input of files, whose files `add` gets. */
export function queueForm(
  script: 'upload' | 'request',
  start: (form: HTMLFormElement, list: HTMLElement, plain: HTMLElement) => (files: readonly File[]) => void,
): void {
  const form = document.querySelector<HTMLFormElement>(`form[data-script="${script}"]`);
  if (form === null) return;
  const input = find<HTMLInputElement>(form, 'input[type="file"]');
  const plain = find(form, '[data-plain]');
  input.multiple = true;
  // Chosen files move to the queue right away, so this field is always empty when the form is validated.
  input.required = false;
  plain.hidden = true;
  form.addEventListener('submit', (event) => event.preventDefault());
  const add = start(form, find(form, '[data-queue]'), plain);
  input.addEventListener('change', () => {
    add(Array.from(input.files ?? []));
    input.value = '';
  });
}

/** Whether a file is sent in parts, so that it can be continued. */
export const inParts = (file: File): boolean => file.size > RESUMABLE_FROM_BYTES;

/** Files that are sent one after another, each with a row that says how far it is. */
export class Queue<I extends Queued, T> {
  readonly #waiting: I[] = [];
  readonly #running = new Map<I, Transfer<T>>();
  /** For how many files the server asked us to wait: until then nothing else is sent either. */
  #pauses = 0;

  constructor(private readonly sending: Sending<I, T>) {}

  /** Whether leaving the page would stop something. */
  get isBusy(): boolean {
    return this.#running.size + this.#waiting.length > 0;
  }

  /** Makes the buttons of a row work that every queue has. */
  listen(item: I): void {
    find(item.row, '[data-cancel]').addEventListener('click', () => this.#cancel(item));
    find(item.row, '[data-pause]').addEventListener('click', () => this.#running.get(item)?.pause?.());
    find(item.row, '[data-resume]').addEventListener('click', () => this.add(item));
  }

  add(item: I): void {
    show(item.row, 'waiting', t('Waiting'));
    this.#waiting.push(item);
    this.#next();
  }

  #cancel(item: I): void {
    const running = this.#running.get(item);
    if (running !== undefined) {
      running.cancel();
      return;
    }
    const place = this.#waiting.indexOf(item);
    if (place >= 0) this.#waiting.splice(place, 1);
    else {
      // It was paused, and is begun once more only to be ended, because the server keeps what it has.
      const ending = this.#begin(item);
      ending.done.catch(() => undefined);
      ending.cancel();
    }
    this.#end(item);
  }

  #end(item: I): void {
    this.sending.ended?.(item);
    show(item.row, 'failed', t('Cancelled'));
  }

  #next(): void {
    while (this.#running.size < this.sending.atOnce && this.#pauses === 0) {
      const item = this.#waiting.shift();
      if (item === undefined) return;
      show(item.row, 'running', t('Starting'));
      const transfer = this.#begin(item);
      this.#running.set(item, transfer);
      find(item.row, '[data-pause]').hidden = transfer.pause === null;
      void this.#finish(item, transfer);
    }
  }

  #begin(item: I): Transfer<T> {
    const bar = find<HTMLProgressElement>(item.row, '[data-progress]');
    return this.sending.begin(item, {
      progress: (share) => {
        bar.value = share;
        this.sending.progress?.(item, share);
        state(item.row, share === 1 ? t('Processing') : t('Uploading'));
      },
      away: () => state(item.row, t('The connection was lost. Continuing as soon as the server answers')),
    });
  }

  async #finish(item: I, { done }: Transfer<T>): Promise<void> {
    try {
      this.sending.received(item, await done);
    } catch (error) {
      const pause = pauseOf(error);
      if (pause !== null) this.#waitFor(pause, item);
      else if (error instanceof Paused) show(item.row, 'paused', t('Paused'));
      else if (error instanceof Cancelled) this.#end(item);
      else {
        this.sending.ended?.(item);
        this.sending.refused(item, error);
      }
    }
    this.#running.delete(item);
    this.sending.settled?.();
    this.#next();
  }

  /** Sends a file and those after it again once the server accepts uploads. */
  #waitFor(seconds: number, item: I): void {
    show(
      item.row,
      'waiting',
      tv('Too many uploads at once. Continuing automatically in {seconds, number} s', { seconds }),
    );
    this.#waiting.unshift(item);
    this.#pauses += 1;
    setTimeout(() => {
      this.#pauses -= 1;
      this.#next();
    }, seconds * 1000);
  }
}

/** The seconds after which a refused file is sent again automatically; null if the user has to decide. */
function pauseOf(error: unknown): number | null {
  if (!(error instanceof Refused) || error.status !== 429 || error.retryAfter === null) return null;
  return error.retryAfter <= MAX_PAUSE_SECONDS ? Math.max(1, error.retryAfter) : null;
}
