import { find } from '../find.js';
import { tv } from '../values.js';

/** A file that was uploaded: its link, and the address of its page. */
interface Uploaded {
  readonly link: string;
  readonly page: string;
}

/** What many uploads are together: how far they are, all their links, and a collection of them. */
export class Together {
  readonly #done: Uploaded[] = [];
  readonly #total = document.querySelector<HTMLElement>('[data-total]');
  readonly #actions = document.querySelector<HTMLElement>('[data-together]');

  /** How many files were chosen in all, of which `failed` were not uploaded. */
  show(rows: number, failed: number): void {
    if (this.#total === null || rows < 2) return;
    this.#total.hidden = false;
    const done = this.#done.length;
    this.#total.textContent =
      failed === 0
        ? tv('{done, number} of {rows, number} uploaded', { done, rows })
        : tv('{done, number} of {rows, number} uploaded, {failed, number} not', { done, rows, failed });
  }

  add(uploaded: Uploaded): void {
    this.#done.push(uploaded);
    if (this.#actions === null || this.#done.length < 2) return;
    this.#actions.hidden = false;
    find(this.#actions, '[data-copy]').dataset.copy = this.#done.map(({ link }) => link).join('\n');
    const form = this.#actions.querySelector('form');
    for (const old of form?.querySelectorAll('input[name="ids"]') ?? []) old.remove();
    for (const { page } of this.#done) {
      const id = document.createElement('input');
      id.type = 'hidden';
      id.name = 'ids';
      id.value = new URL(page, location.href).pathname.split('/').at(-1) ?? '';
      form?.append(id);
    }
  }
}
