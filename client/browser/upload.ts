/** The upload page: a queue of files with progress, filled by choosing, dropping and pasting files. */

import { RESUMABLE_FROM_BYTES } from '../src/parts.js';
import { carried } from './carry.js';
import { dropTarget } from './drop.js';
import { find } from './find.js';
import { FolderPanels } from './folder-panels.js';
import { giveBack, type Parcel, pack, takeAddress, UPLOAD_PATH } from './parcel.js';
import { sayRefusal } from './refusal.js';
import { fail, makeRow, reveal, show, state } from './row.js';
import { t } from './speech.js';
import { Together } from './together.js';
import { Cancelled, Paused, Refused, send, sendParts, type Transfer } from './transfer.js';
import { tv } from './values.js';

/** Two uploads at a time use the connection well without slowing each other down. */
const MAX_PARALLEL = 2;
/** The longest time that the server may ask us to wait, in seconds. */
const MAX_PAUSE_SECONDS = 15 * 60;
interface Item {
  readonly file: File;
  readonly row: HTMLElement;
  /** The fields as they were when the file was chosen or retried. */
  parcel: Parcel;
  transfer: Transfer | null;
}

const form = document.querySelector<HTMLFormElement>('form[data-script="upload"]');
const list = form?.querySelector<HTMLElement>('[data-queue]');
const input = form?.querySelector<HTMLInputElement>('input[type="file"]');
const template = document.querySelector<HTMLTemplateElement>('#upload-row');

if (form && list && input && template) start(form, list, input, template);

function start(
  form: HTMLFormElement,
  list: HTMLElement,
  input: HTMLInputElement,
  template: HTMLTemplateElement,
): void {
  const waiting: Item[] = [];
  /** Chosen on another page: they wait until their options are set. */
  const held = new Set<Item>();
  const together = new Together();
  let running = 0;
  /** For how many files the server asked us to wait: until then nothing else is sent either. */
  let pauses = 0;

  input.multiple = true;
  // Chosen files move to the queue right away, so this field is always empty when the form is validated.
  input.required = false;
  const plain = form.querySelector<HTMLElement>('[data-plain]');
  if (plain) plain.hidden = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    for (const item of held) enqueue(item);
    release();
  });
  form.addEventListener('invalid', (event) => reveal(event.target), true);
  input.addEventListener('change', () => {
    add(Array.from(input.files ?? []));
    input.value = '';
  });
  document.addEventListener('paste', (event) => {
    // Text pasted into a field belongs there, even if the clipboard also holds an image of it.
    if (!(event.target instanceof Element && event.target.closest('input, textarea')))
      add(Array.from(event.clipboardData?.files ?? []));
  });
  const folders = new FolderPanels(form, list);
  dropTarget(form.querySelector('[data-drop]'), add, folders.addDropped);
  if (location.hash === '#carried') {
    // A reload must not send them again.
    history.replaceState(history.state, '', location.pathname);
    carried().then(hold, () => undefined);
  }
  addEventListener('beforeunload', (event) => {
    if (running > 0 || waiting.length > 0 || held.size > 0 || folders.isBusy) event.preventDefault();
  });

  function add(files: readonly File[]): void {
    if (held.size > 0) {
      hold(files);
      return;
    }
    const sound = files.length === 0 || form.reportValidity();
    for (const item of files.map(listed)) {
      if (sound) enqueue(item);
      else show(item.row, 'failed', t('Please correct the options, then try again'));
    }
    tell();
  }

  function hold(files: readonly File[]): void {
    for (const item of files.map(listed)) {
      held.add(item);
      show(item.row, 'held', t('Ready to upload with the options above'));
    }
    if (held.size === 0 || plain === null) return;
    whileHeld(true);
    reveal(form.querySelector('details *'));
    // The options stay in sight.
    plain.querySelector('button')?.focus({ preventScroll: true });
  }

  function whileHeld(isHeld: boolean): void {
    if (plain) plain.hidden = !isHeld;
    const hint = form.querySelector<HTMLElement>('[data-at-once]');
    if (hint) hint.hidden = isHeld;
  }

  function release(): void {
    held.clear();
    whileHeld(false);
  }

  function listed(file: File): Item {
    const row = makeRow(template, file);
    const item: Item = { file, row, parcel: pack(form, file), transfer: null };
    find(row, '[data-cancel]').addEventListener('click', () => cancel(item));
    find(row, '[data-pause]').addEventListener('click', () => item.transfer?.pause?.());
    find(row, '[data-resume]').addEventListener('click', () => queue(item));
    find(row, '[data-retry]').addEventListener('click', () => {
      if (form.reportValidity()) enqueue(item);
    });
    find(row, '[data-remove]').addEventListener('click', () => {
      row.remove();
      if (held.delete(item) && held.size === 0) release();
      tell();
      input.focus();
    });
    list.append(row);
    return item;
  }

  function tell(): void {
    together.show(list.children.length, list.querySelectorAll(':scope > .failed').length);
  }

  function enqueue(item: Item): void {
    item.parcel = pack(form, item.file);
    takeAddress(form, item.parcel);
    queue(item);
  }

  function queue(item: Item): void {
    show(item.row, 'waiting', t('Waiting'));
    waiting.push(item);
    next();
  }

  function cancel(item: Item): void {
    const place = waiting.indexOf(item);
    if (place >= 0) {
      waiting.splice(place, 1);
      giveBack(form, item.parcel);
      show(item.row, 'failed', t('Cancelled'));
    }
    if (item.transfer !== null) item.transfer.cancel();
    else if (item.row.className === 'paused') {
      // It is sent once more only to be ended, because the server keeps what it has.
      item.transfer = begin(item);
      item.transfer.done.catch(() => undefined);
      item.transfer.cancel();
      item.transfer = null;
      giveBack(form, item.parcel);
      show(item.row, 'failed', t('Cancelled'));
    }
  }

  function next(): void {
    while (running < MAX_PARALLEL && pauses === 0) {
      const item = waiting.shift();
      if (item === undefined) return;
      running += 1;
      void run(item).finally(() => {
        running -= 1;
        tell();
        next();
      });
    }
  }

  /** Starts sending: a large file in parts, so that it can be continued. */
  function begin({ file, parcel: { url, fields }, row }: Item): Transfer {
    const bar = find<HTMLProgressElement>(row, '[data-progress]');
    const progress = (share: number): void => {
      bar.value = share;
      // The progress is not a text, because screen readers need not announce every percent.
      state(row, share === 1 ? t('Processing') : t('Uploading'));
    };
    if (file.size <= RESUMABLE_FROM_BYTES || url !== UPLOAD_PATH) return send(url, fields, progress);
    return sendParts(fields, file, {
      progress,
      away: () => state(row, t('The connection was lost. Continuing as soon as the server answers')),
    });
  }

  async function run(item: Item): Promise<void> {
    show(item.row, 'running', t('Starting'));
    item.transfer = begin(item);
    find(item.row, '[data-pause]').hidden = item.transfer.pause === null;
    try {
      const { link, page, metadataMayRemain } = await item.transfer.done;
      const open = find<HTMLAnchorElement>(item.row, '[data-open]');
      open.href = page;
      find(item.row, '[data-copy]').dataset.copy = link;
      find(item.row, '[data-note]').hidden = !metadataMayRemain;
      show(item.row, 'done', link);
      together.add({ link, page });
    } catch (error) {
      item.transfer = null;
      const pause = pauseOf(error);
      if (pause !== null) return waitFor(pause, item);
      if (error instanceof Paused) return show(item.row, 'paused', t('Paused'));
      giveBack(form, item.parcel);
      if (error instanceof Cancelled) show(item.row, 'failed', t('Cancelled'));
      else fail(item.row, sayRefusal(error, form));
    }
    item.transfer = null;
  }

  /** Sends a file and those after it again once the server accepts uploads. */
  function waitFor(seconds: number, item: Item): void {
    show(
      item.row,
      'waiting',
      tv('Too many uploads at once. Continuing automatically in {seconds, number} s', { seconds }),
    );
    waiting.unshift(item);
    pauses += 1;
    setTimeout(() => {
      pauses -= 1;
      next();
    }, seconds * 1000);
  }
}

/** The seconds after which a refused file is sent again automatically; null if the user has to decide. */
function pauseOf(error: unknown): number | null {
  if (!(error instanceof Refused) || error.status !== 429 || error.retryAfter === null) return null;
  return error.retryAfter <= MAX_PAUSE_SECONDS ? Math.max(1, error.retryAfter) : null;
}
