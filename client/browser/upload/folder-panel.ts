import type { FolderProgress } from '../../src/folder/events.js';
import { type FolderPlan, planFolder } from '../../src/folder/plan.js';
import type { FolderFields, FolderTask } from '../../src/folder/task.js';
import { FolderWork } from '../../src/folder/work.js';
import { ownMemory } from '../../src/memory.js';
import { find } from '../find.js';
import { sealedFor } from '../sealed/choice.js';
import { language, t } from '../speech.js';
import { fileSize, tv } from '../values.js';
import { type Buttons, fillList, showButtons } from './folder-view.js';
import { wordsOf, wordsOfProgress } from './folder-words.js';
import { hashing } from './hashing.js';
import { giveBack, optionsIn, takeAddress } from './parcel.js';
import type { PickedFolder } from './picked.js';
import { sayRefusal } from './refusal.js';
import { asRefused, Cancelled, Paused } from './transfer.js';

/** One folder: compared by hash with what the user has, then sent into a collection, with one progress for all of it. */
export class FolderPanel {
  #stop = new AbortController();
  #plan: FolderPlan | null = null;
  #work: FolderWork | null = null;
  #fields = new FormData();
  #isBusy = false;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly section: HTMLElement,
    private readonly folder: PickedFolder,
    private readonly onRemoved: () => void,
  ) {
    find(section, '[data-title]').textContent = folder.title;
    this.#on('[data-start]', () => this.#start());
    this.#on('[data-pause]', () => this.#stop.abort(new Paused()));
    this.#on('[data-resume]', () => (this.#work === null ? this.examine() : this.#send()));
    this.#on('[data-retry]', () => {
      this.#work?.retry();
      return this.#send();
    });
    this.#on('[data-cancel]', () => (this.#isBusy ? this.#stop.abort(new Cancelled()) : this.#remove()));
    this.#on('[data-remove]', () => this.#remove());
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Compares the files with those that the user has; sends nothing. */
  async examine(): Promise<void> {
    const total = this.folder.files.reduce((sum, { size }) => sum + size, 0);
    let read = 0;
    const n = this.folder.files.length;
    const words = tv('Comparing {n, plural, one {# file} other {# files}} with those that you have', { n });
    this.#begin(words, ['cancel']);
    const { hash, end } = hashing(this.form.dataset.hasher ?? '');
    const onBytes = (bytes: number): void => {
      read += bytes;
      this.#progress(
        total === 0 ? 1 : read / total,
        tv('{read} of {total} compared', { read: fileSize(read), total: fileSize(total) }),
      );
    };
    try {
      const task = { ...this.#task(optionsIn(this.form)), hash };
      this.#plan = await planFolder(task, { onBytes, signal: this.#stop.signal });
      this.#tellPlan(this.#plan);
    } catch (error) {
      this.#tellEnd(error);
    } finally {
      this.#isBusy = false;
      end();
    }
  }

  async #start(): Promise<void> {
    if (this.#plan === null || !this.form.reportValidity()) return;
    if (sealedFor(this.form) !== null) {
      this.#say(t('This folder is not sealed: remove it, and choose it once more'));
      return;
    }
    this.#fields = optionsIn(this.form);
    takeAddress(this.form, { fields: this.#fields });
    const sendsAll = find<HTMLInputElement>(this.section, '[data-again] input').checked;
    this.#work = new FolderWork(this.#task(this.#fields), this.#plan, sendsAll);
    await this.#send();
  }

  async #send(): Promise<void> {
    const { section } = this;
    const work = this.#work;
    if (work === null || this.#isBusy) return;
    this.#begin(t('Uploading'), ['pause', 'cancel']);
    find(section, '[data-again]').hidden = true;
    fillList(find(section, '[data-failed]'), [], '');
    try {
      await work.run(
        {
          onProgress: (progress) => this.#tellProgress(progress),
          onWait: (ms, _why, error) =>
            this.#say(
              tv('{why}. Continuing in {seconds, number} s', {
                why: this.#words(error).text,
                seconds: Math.ceil(ms / 1000),
              }),
            ),
        },
        this.#stop.signal,
      );
      this.#tellDone(work);
    } catch (error) {
      this.#tellEnd(error);
    } finally {
      this.#isBusy = false;
      if (work.collection === null) giveBack(this.form, { fields: this.#fields });
      else this.#offerCollection(work.collection.url);
    }
  }

  #task(options: FormData): FolderTask {
    const text = (name: string) => options.get(name)?.toString();
    const given = Object.entries({
      private: options.has('private') ? true : undefined,
      password: text('password'),
      desc: text('desc'),
      expiresAt: text('expiresAt'),
      maxViews: options.has('maxViews') ? Number(text('maxViews')) : undefined,
      tags: tagsIn(text('tags')),
    }).filter(([, value]) => value !== undefined);
    const uniqueId = text('uniqueId');
    return {
      target: { origin: '', apiKey: text('key') ?? null, language },
      ...this.folder,
      fields: Object.fromEntries(given) as FolderFields,
      ...(uniqueId === undefined ? {} : { uniqueId }),
      maxFileBytes: Number(this.form.dataset.maxBytes),
      memory: ownMemory(),
    };
  }

  #begin(text: string, buttons: Buttons): void {
    this.#isBusy = true;
    this.#stop = new AbortController();
    this.section.className = 'card folder running';
    this.#say(text);
    showButtons(this.section, buttons);
    find(this.section, '[data-progress]').hidden = false;
  }

  #tellPlan(plan: FolderPlan): void {
    const again = plan.known.length + plan.copies.length;
    find(this.section, '[data-progress]').hidden = true;
    const words = wordsOf(plan);
    this.#say(words.toSend);
    this.#detail(words.known);
    find(this.section, '[data-again]').hidden = again === 0;
    fillList(find(this.section, '[data-not-sent]'), words.notSent, words.notSentHeading);
    const isEmpty = plan.fresh.length + again === 0;
    if (isEmpty) this.#fail(t('There is nothing to upload in this folder'));
    else showButtons(this.section, ['start', 'remove']);
  }

  #tellProgress(progress: FolderProgress): void {
    this.#say(t('Uploading'));
    this.#progress(
      progress.totalBytes === 0 ? 1 : progress.sentBytes / progress.totalBytes,
      wordsOfProgress(progress),
    );
  }

  #tellDone({ failed }: FolderWork): void {
    const { section } = this;
    find(section, '[data-progress]').hidden = true;
    fillList(
      find(section, '[data-failed]'),
      failed.map(({ file, error }) => `${file.path}: ${this.#words(error).text}`),
      tv('{n, plural, one {# file could not be uploaded} other {# files could not be uploaded}}', {
        n: failed.length,
      }),
    );
    section.className = `card folder ${failed.length === 0 ? 'done' : 'failed'}`;
    this.#say(failed.length === 0 ? t('All files are in the collection') : t('Some files are missing'));
    showButtons(section, failed.length === 0 ? ['remove'] : ['retry', 'remove']);
  }

  /** Says why it stopped, and offers what can be done. */
  #tellEnd(error: unknown): void {
    if (error instanceof Cancelled && this.#work === null) {
      this.#remove();
      return;
    }
    this.section.className = 'card folder paused';
    if (error instanceof Paused) {
      this.#say(t('Paused'));
      showButtons(this.section, ['resume', 'cancel']);
      return;
    }
    if (error instanceof Cancelled) {
      this.#say(t('Cancelled. What was sent stays in the collection'));
      showButtons(this.section, ['resume', 'remove']);
      return;
    }
    const { text, signIn } = this.#words(error);
    this.#fail(text);
    showButtons(this.section, signIn ? ['resume', 'sign-in', 'remove'] : ['resume', 'remove']);
  }

  #words(error: unknown) {
    return sayRefusal(asRefused(error), this.form);
  }

  #fail(text: string): void {
    this.section.className = 'card folder failed';
    this.#say(text);
    showButtons(this.section, ['remove']);
  }

  #offerCollection(url: string): void {
    const open = find<HTMLAnchorElement>(this.section, '[data-open]');
    open.href = url;
    open.hidden = false;
    const copy = find(this.section, '[data-copy]');
    copy.dataset.copy = url;
    copy.hidden = false;
  }

  #say(text: string): void {
    const state = find(this.section, '[data-state]');
    if (state.textContent !== text) state.textContent = text;
  }

  #detail(text: string): void {
    find(this.section, '[data-detail]').textContent = text;
  }

  #progress(share: number, detail: string): void {
    find<HTMLProgressElement>(this.section, '[data-progress]').value = share;
    this.#detail(detail);
  }

  #remove(): void {
    this.section.remove();
    this.onRemoved();
    find(this.form, '[data-choose-folder]').focus();
  }

  #on(button: string, work: () => unknown): void {
    find(this.section, button).addEventListener('click', () => void work());
  }
}

/** The tags that a field separates by commas; undefined for none. */
function tagsIn(field = ''): string[] | undefined {
  const tags = field.split(',').flatMap((tag) => tag.trim() || []);
  return tags.length > 0 ? tags : undefined;
}
