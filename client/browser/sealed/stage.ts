import { open, openName, type SealedName, type SealKey, unarmored } from '../../src/sealed.js';
import { find } from '../find.js';
import { t } from '../speech.js';
import { tv } from '../values.js';
import { MAX_MEDIA_BYTES, mediaElement, mediaType } from './media.js';
import { type Whole, wholeOf } from './whole.js';
import { wordsOf } from './words.js';

/** Texts up to this size are shown, as pastes can have it. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Something sealed on its page, which can be opened with a key. */
export class Stage {
  #key: SealKey = {};
  #name: SealedName = {};
  #whole: Promise<Whole> | null = null;
  #isSaved = false;

  constructor(private readonly place: HTMLElement) {
    this.#part('[data-download]').addEventListener('click', () => void this.#trying(() => this.#save()));
    addEventListener('pagehide', ({ persisted }) => {
      if (!persisted && !this.#isSaved) this.#whole?.then(({ forget }) => forget()).catch(() => undefined);
    });
  }

  /** Opens it with a key, shows it where browsers can, and offers the rest; whether the key fits. */
  open(key: SealKey): Promise<boolean> {
    return this.#trying(async () => {
      const { dataset } = this.place;
      const sealedName = dataset.sealedName ?? null;
      this.#key = key;
      this.#whole = null;
      this.#name = (await openName(sealedName, key)) ?? {};
      const { name, title, description } = this.#name;
      const called = name ?? title;
      const heading = document.querySelector('h1');
      if (called !== undefined && heading !== null) heading.textContent = title ?? called;
      if (description !== undefined) this.#part('[data-described]').textContent = description;
      // Without a sealed name only the content says whether the key fits.
      if (sealedName === null || this.#isShown()) await this.#show();
    });
  }

  #part(selector: string): HTMLElement {
    return find(this.place, selector);
  }

  /** Bytes of the age file. */
  get #size(): number {
    return Number(this.place.dataset.size);
  }

  #isShown(): boolean {
    return this.#size <= (mediaType(this.#name) === null ? MAX_TEXT_BYTES : MAX_MEDIA_BYTES);
  }

  async #show(): Promise<void> {
    const { blob } = await this.#content();
    const element = this.#isShown() ? await this.#elementOf(blob) : null;
    this.#part('[data-shown]').replaceChildren(...(element === null ? [] : [element]));
    this.#part('[data-copy-text]').hidden = element?.id !== 'code';
    element?.addEventListener('error', () => element.remove());
    if (!element?.querySelector('.language-mermaid')) return;
    const { drawIn } = await import('../diagram/drawings.js');
    drawIn(element);
  }

  async #elementOf(blob: Blob): Promise<HTMLElement | null> {
    const called = this.#name.name ?? this.#name.title ?? '';
    const type = mediaType(this.#name);
    if (type !== null) return mediaElement(blob, type, called);
    const text = await textOf(blob);
    if (text === null) return null;
    // Its colours are loaded for a text alone.
    const { textElement } = await import('./text.js');
    return textElement(text, { ...this.#name, name: called }, tv('Text of {name}', { name: called }));
  }

  /** The content, decrypted to its end; fetched once, because fetching it can count. */
  #content(): Promise<Whole> {
    this.#whole ??= this.#decrypted().catch((error: unknown) => {
      this.#whole = null;
      throw error;
    });
    return this.#whole;
  }

  async #decrypted(): Promise<Whole> {
    const bar = this.#part('[data-progress]') as HTMLProgressElement;
    let read = 0;
    bar.hidden = false;
    try {
      const content = await open(await this.#bytes(), this.#key);
      return await wholeOf(content, this.#size, (bytes) => {
        read += bytes;
        bar.value = read / this.#size;
      });
    } finally {
      bar.hidden = true;
    }
  }

  async #bytes(): Promise<ReadableStream<Uint8Array>> {
    const { dataset } = this.place;
    if (dataset.source === undefined)
      return new Blob([unarmored(this.#part('[data-armor]').textContent ?? '') as BlobPart]).stream();
    const answer = await fetch(dataset.source).catch(() => null);
    if (answer === null) throw new Error(t('The connection was lost'));
    if (answer.ok && answer.body !== null) return answer.body;
    const said = (await answer.json().catch(() => null)) as { readonly message?: unknown } | null;
    throw new Error(typeof said?.message === 'string' ? said.message : t('This did not work'));
  }

  async #save(): Promise<void> {
    const { blob } = await this.#content();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
    link.download = this.#name.name ?? this.#name.title ?? this.place.dataset.id ?? '';
    this.#isSaved = true;
    link.click();
  }

  /** Does something that may fail, and says why it did. */
  async #trying(run: () => Promise<void>): Promise<boolean> {
    const problem = this.#part('[data-problem]');
    const state = this.#part('[data-state]');
    problem.hidden = true;
    state.textContent = t('Opening');
    // What follows may keep the page busy for a second: it is painted before.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    try {
      await run();
      return true;
    } catch (error) {
      find(problem, 'span').textContent = wordsOf(error);
      problem.hidden = false;
      return false;
    } finally {
      state.textContent = '';
    }
  }
}

/** A content as text; null if it is none. */
async function textOf(blob: Blob): Promise<string | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await blob.arrayBuffer());
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
