import { find } from '../find.js';
import { fileSize, tv } from '../values.js';
import { timeLeft } from './pace.js';

/** A file that was uploaded: its link, and the address of its page. */
interface Uploaded {
  readonly link: string;
  readonly page: string;
}

/** A file that is sent or has been, and how much of it. */
interface Part {
  readonly size: number;
  share: number;
}

/**
 * What the uploads of a page are together: how far they are, when they will be there, all their links, and a collection
 * of them. The title of the tab says it too, and screen readers are told when something comes to its end.
 */
export class Together {
  readonly #parts = new Map<object, Part>();
  readonly #done: Uploaded[] = [];
  readonly #bar = document.querySelector<HTMLElement>('[data-together]');
  readonly #title = document.title;
  #failed = 0;
  #since = 0;
  /** Bytes that were there before the uploads that are on their way. */
  #before = 0;

  /** A file is about to be sent; `size` in bytes. */
  begin(item: object, size: number): void {
    if (!this.#isBusy) {
      this.#since = performance.now();
      this.#before = this.#sent();
    }
    this.#parts.set(item, { size, share: 0 });
    this.#show();
  }

  /** A share of a file has been sent. */
  progress(item: object, share: number): void {
    const part = this.#parts.get(item);
    if (part === undefined || share < part.share) return;
    part.share = share;
    this.#show();
  }

  /** A file is not sent after all. */
  leave(item: object): void {
    this.#parts.delete(item);
    this.#show();
  }

  /** How many files failed so far. */
  settled(failed: number): void {
    this.#failed = failed;
    this.#show();
    if (this.#bar !== null && !this.#isBusy) find(this.#bar, '[data-said]').textContent = this.#words();
  }

  add(item: object, uploaded: Uploaded): void {
    const part = this.#parts.get(item);
    if (part !== undefined) part.share = 1;
    this.#done.push(uploaded);
    if (this.#bar === null || this.#done.length < 2) return;
    find(this.#bar, '.actions').hidden = false;
    find(this.#bar, '[data-copy]').dataset.copy = this.#done.map(({ link }) => link).join('\n');
    const form = this.#bar.querySelector('form');
    for (const old of form?.querySelectorAll('input[name="ids"]') ?? []) old.remove();
    for (const { page } of this.#done) {
      const id = document.createElement('input');
      id.type = 'hidden';
      id.name = 'ids';
      id.value = idIn(page);
      form?.append(id);
    }
  }

  get #isBusy(): boolean {
    return this.#parts.size > this.#done.length + this.#failed;
  }

  #sum(of: (part: Part) => number): number {
    return [...this.#parts.values()].reduce((sum, part) => sum + of(part), 0);
  }

  #sent = (): number => this.#sum(({ size, share }) => size * share);

  #words(): string {
    const [done, failed, rows] = [this.#done.length, this.#failed, this.#parts.size];
    return failed === 0
      ? tv('{done, number} of {rows, number} uploaded', { done, rows })
      : tv('{done, number} of {rows, number} uploaded, {failed, number} not', { done, rows, failed });
  }

  #show(): void {
    if (this.#bar === null) return;
    this.#bar.hidden = this.#parts.size === 0;
    const [sent, total] = [this.#sent(), this.#sum(({ size }) => size)];
    const words = [this.#words()];
    document.title = this.#title;
    if (this.#isBusy) {
      words.push(tv('{sent} of {total}', { sent: fileSize(sent), total: fileSize(total) }));
      const left = timeLeft(sent - this.#before, total - this.#before, performance.now() - this.#since);
      if (left !== '') words.push(tv('{time} left', { time: left }));
      if (total > 0) document.title = `${Math.floor((100 * sent) / total)} % · ${this.#title}`;
    }
    find(this.#bar, '[data-total]').textContent = words.join(' · ');
    const progress = find<HTMLProgressElement>(this.#bar, 'progress');
    progress.hidden = !this.#isBusy;
    progress.value = total === 0 ? 0 : sent / total;
  }
}

/** The id of a file, from the address of its page. */
export const idIn = (page: string): string => new URL(page, location.href).pathname.split('/').at(-1) ?? '';
