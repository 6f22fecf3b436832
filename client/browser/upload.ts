/** The upload page: a queue of files with progress, fed by choosing, dropping and pasting. */
import { dropTarget } from './drop.js';
import { find } from './find.js';
import { giveBack, type Parcel, pack, takeAddress } from './parcel.js';
import { sayRefusal } from './refusal.js';
import { fail, makeRow, reveal, show, state } from './row.js';
import { Cancelled, Refused, send, type Transfer } from './transfer.js';

/** Two at a time keep a line busy without starving each other. */
const parallel = 2;
/** A service that asks for a longer pause is not waited for, in seconds. */
const longestPause = 15 * 60;
interface Item {
  readonly file: File;
  readonly row: HTMLElement;
  /** What goes along with the file, as it was when the file was chosen or tried again. */
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
  let running = 0;
  /** A service that takes no more for now gets nothing until this moment. */
  let pausedUntil = 0;

  input.multiple = true;
  // Files leave it at once, so that it is always empty when the form's own checks run.
  input.required = false;
  form.querySelector<HTMLElement>('[data-plain]')?.setAttribute('hidden', '');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('invalid', (event) => reveal(event.target), true);
  input.addEventListener('change', () => {
    add(Array.from(input.files ?? []));
    input.value = '';
  });
  document.addEventListener('paste', (event) => {
    // What is pasted into a field is meant for it, whatever picture of it comes along.
    if (!(event.target instanceof Element && event.target.closest('input, textarea')))
      add(Array.from(event.clipboardData?.files ?? []));
  });
  dropTarget(form.querySelector('[data-drop]'), add);
  addEventListener('beforeunload', (event) => {
    if (running > 0 || waiting.length > 0) event.preventDefault();
  });

  function add(files: readonly File[]): void {
    const sound = files.length === 0 || form.reportValidity();
    for (const file of files) {
      const row = makeRow(template, file);
      const item: Item = { file, row, parcel: pack(form, file), transfer: null };
      find(row, '[data-cancel]').addEventListener('click', () => cancel(item));
      find(row, '[data-retry]').addEventListener('click', () => {
        if (form.reportValidity()) enqueue(item);
      });
      find(row, '[data-remove]').addEventListener('click', () => {
        row.remove();
        input.focus();
      });
      list.append(row);
      if (sound) enqueue(item);
      else show(item.row, 'failed', 'Please correct the options, then try again');
    }
  }

  function enqueue(item: Item): void {
    item.parcel = pack(form, item.file);
    takeAddress(form, item.parcel);
    show(item.row, 'waiting', 'Waiting');
    waiting.push(item);
    next();
  }

  function cancel(item: Item): void {
    const place = waiting.indexOf(item);
    if (place >= 0) {
      waiting.splice(place, 1);
      giveBack(form, item.parcel);
      show(item.row, 'failed', 'Cancelled');
    }
    item.transfer?.cancel();
  }

  function next(): void {
    while (running < parallel && Date.now() >= pausedUntil) {
      const item = waiting.shift();
      if (item === undefined) return;
      running += 1;
      void run(item).finally(() => {
        running -= 1;
        next();
      });
    }
  }

  async function run(item: Item): Promise<void> {
    show(item.row, 'running', 'Starting');
    item.transfer = send(item.parcel.url, item.parcel.fields, (share) => {
      find<HTMLProgressElement>(item.row, '[data-progress]').value = share;
      // Not a text: who listens to the page need not hear each per cent.
      if (share === 1) state(item.row, 'Storing');
    });
    try {
      const { link, page } = await item.transfer.done;
      const open = find<HTMLAnchorElement>(item.row, '[data-open]');
      open.href = page;
      find(item.row, '[data-copy]').dataset.copy = link;
      show(item.row, 'done', link);
    } catch (error) {
      item.transfer = null;
      const pause = pauseOf(error);
      if (pause !== null) return waitFor(pause, item);
      giveBack(form, item.parcel);
      if (error instanceof Cancelled) show(item.row, 'failed', 'Cancelled');
      else fail(item.row, sayRefusal(error, form));
    }
    item.transfer = null;
  }

  /** Sends a file again, and those behind it, once the service takes some. */
  function waitFor(seconds: number, item: Item): void {
    show(item.row, 'waiting', `Too many at once. Going on by itself in ${seconds} s`);
    waiting.unshift(item);
    pausedUntil = Math.max(pausedUntil, Date.now() + seconds * 1000);
    // A clock that is set back would otherwise leave them waiting.
    setTimeout(() => {
      pausedUntil = 0;
      next();
    }, seconds * 1000);
  }
}

/** The seconds after which a file that was refused may be sent again by itself; null when that is for the person to say. */
function pauseOf(error: unknown): number | null {
  if (!(error instanceof Refused) || error.status !== 429 || error.retryAfter === null) return null;
  return error.retryAfter <= longestPause ? Math.max(1, error.retryAfter) : null;
}
