/** The upload page: a queue of files with progress, filled by choosing, dropping and pasting files. */
import { type Said, sayRefusal } from './refusal.js';
import { Cancelled, Refused, send, type Transfer } from './transfer.js';

/** Two uploads at a time use the connection well without slowing each other down. */
const parallel = 2;
/** The longest time that the server may ask us to wait, in seconds. */
const longestPause = 15 * 60;
const archive = /\.(zip|tar|tgz|tar\.gz|tbz2?|tar\.bz2)$/i;

/** Where a file is sent, and the fields sent with it. */
interface Parcel {
  readonly url: string;
  readonly fields: FormData;
}

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
  let running = 0;
  /** Nothing is sent before this time, because the server asked us to wait. */
  let pausedUntil = 0;

  input.multiple = true;
  // Chosen files move to the queue right away, so this field is always empty when the form is validated.
  input.required = false;
  form.querySelector<HTMLElement>('[data-plain]')?.setAttribute('hidden', '');
  form.addEventListener('submit', (event) => event.preventDefault());
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
      else show(item, 'failed', 'Please correct the options, then try again');
    }
  }

  function enqueue(item: Item): void {
    item.parcel = pack(form, item.file);
    takeAddress(form, item.parcel);
    show(item, 'waiting', 'Waiting');
    waiting.push(item);
    next();
  }

  function cancel(item: Item): void {
    const place = waiting.indexOf(item);
    if (place >= 0) {
      waiting.splice(place, 1);
      giveBack(form, item.parcel);
      show(item, 'failed', 'Cancelled');
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
    show(item, 'running', 'Starting');
    item.transfer = send(item.parcel.url, item.parcel.fields, (share) => {
      find<HTMLProgressElement>(item.row, '[data-progress]').value = share;
      // The progress is not a text, because screen readers need not announce every percent.
      if (share === 1) state(item, 'Processing');
    });
    try {
      const { link, page } = await item.transfer.done;
      const open = find<HTMLAnchorElement>(item.row, '[data-open]');
      open.href = page;
      find(item.row, '[data-copy]').dataset.copy = link;
      show(item, 'done', link);
    } catch (error) {
      item.transfer = null;
      const pause = pauseOf(error);
      if (pause !== null) return waitFor(pause, item);
      giveBack(form, item.parcel);
      if (error instanceof Cancelled) show(item, 'failed', 'Cancelled');
      else fail(item, sayRefusal(error, form));
    }
    item.transfer = null;
  }

  /** Sends a file and those after it again once the server accepts uploads. */
  function waitFor(seconds: number, item: Item): void {
    show(item, 'waiting', `Too many uploads at once. Continuing automatically in ${seconds} s`);
    waiting.unshift(item);
    pausedUntil = Math.max(pausedUntil, Date.now() + seconds * 1000);
    // Otherwise they would wait too long if the clock is set back.
    setTimeout(() => {
      pausedUntil = 0;
      next();
    }, seconds * 1000);
  }
}

/** The seconds after which a refused file is sent again automatically; null if the user has to decide. */
function pauseOf(error: unknown): number | null {
  if (!(error instanceof Refused) || error.status !== 429 || error.retryAfter === null) return null;
  return error.retryAfter <= longestPause ? Math.max(1, error.retryAfter) : null;
}

/** The fields of the form with one file; lifetimes become times counted from now. */
function pack(form: HTMLFormElement, file: File): Parcel {
  const fields = new FormData(form);
  const unpack = fields.has('unpack') && archive.test(file.name);
  const hours = Number(fields.get('expiresIn') ?? 0);
  for (const name of ['file', 'expiresIn', 'unpack']) fields.delete(name);
  if (unpack) fields.delete('uniqueId');
  for (const [name, value] of [...fields]) if (value === '') fields.delete(name);
  if (hours > 0) fields.set('expiresAt', new Date(Date.now() + hours * 3_600_000).toISOString());
  fields.set('source', 'WEB');
  fields.set('file', file, file.name);
  return { url: unpack ? '/v1/image/upload/zip' : '/v1/image/upload', fields };
}

/** A custom ID fits one file only: the file that takes it clears the field for the next ones. */
function takeAddress(form: HTMLFormElement, { fields }: Parcel): void {
  if (fields.has('uniqueId')) find<HTMLInputElement>(form, '[name="uniqueId"]').value = '';
}

/** A file that failed gives its custom ID back, unless the field has another one by now. */
function giveBack(form: HTMLFormElement, { fields }: Parcel): void {
  const input = find<HTMLInputElement>(form, '[name="uniqueId"]');
  if (input.value === '') input.value = String(fields.get('uniqueId') ?? '');
}

/** Opens the options when a field in them needs correcting. */
function reveal(field: EventTarget | null): void {
  const options = field instanceof Element ? field.closest('details') : null;
  if (options) options.open = true;
}

function makeRow(template: HTMLTemplateElement, file: File): HTMLElement {
  const row = template.content.firstElementChild?.cloneNode(true);
  if (!(row instanceof HTMLElement)) throw new Error('the template of a row is empty');
  find(row, '[data-name]').textContent = file.name;
  if (/^image\/(jpeg|png|gif|webp|avif)$/.test(file.type)) {
    const image = document.createElement('img');
    image.alt = '';
    image.src = URL.createObjectURL(file);
    const thumb = find(row, '[data-thumb]');
    const icon = [...thumb.childNodes];
    image.addEventListener('load', () => URL.revokeObjectURL(image.src), { once: true });
    image.addEventListener('error', () => {
      URL.revokeObjectURL(image.src);
      thumb.replaceChildren(...icon);
    });
    thumb.replaceChildren(image);
  }
  return row;
}

function show(item: Item, kind: 'waiting' | 'running' | 'done' | 'failed', text: string): void {
  const held = item.row.contains(document.activeElement);
  item.row.className = kind;
  state(item, text);
  const busy = kind === 'waiting' || kind === 'running';
  find(item.row, '[data-progress]').hidden = !busy;
  find(item.row, '[data-cancel]').hidden = !busy;
  find(item.row, '[data-retry]').hidden = kind !== 'failed';
  find(item.row, '[data-remove]').hidden = kind !== 'failed';
  find(item.row, '[data-sign-in]').hidden = true;
  find(item.row, '[data-open]').hidden = kind !== 'done';
  find(item.row, '[data-copy]').hidden = kind !== 'done';
  // The button that had the focus may be hidden now.
  if (held) item.row.querySelector<HTMLElement>('.actions > :not([hidden])')?.focus();
}

function fail(item: Item, { text, field, signIn }: Said): void {
  show(item, 'failed', text);
  find(item.row, '[data-sign-in]').hidden = !signIn;
  reveal(field);
}

function state(item: Item, text: string): void {
  find(item.row, '[data-state]').textContent = text;
}

/** Dropped text belongs to the field that it is dropped on. */
const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** The dropped files. Browsers provide no contents for folders, so the user is told to choose files. */
function filesOf(dropped: DataTransfer | null): File[] {
  const files = Array.from(dropped?.items ?? []).flatMap((item) => {
    if (item.webkitGetAsEntry()?.isDirectory !== true) return item.getAsFile() ?? [];
    alert('Folders cannot be uploaded. Choose the files in it instead.');
    return [];
  });
  return files;
}

function find<T extends HTMLElement = HTMLElement>(row: HTMLElement, selector: string): T {
  const found = row.querySelector<T>(selector);
  if (found === null) throw new Error(`no ${selector} here`);
  return found;
}

/** Files can be dropped anywhere on the page; the drop area shows it. */
function dropTarget(area: Element | null, add: (files: readonly File[]) => void): void {
  document.addEventListener('dragover', (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    area?.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) area?.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    area?.classList.remove('over');
    add(filesOf(event.dataTransfer));
  });
}
