/** The upload page: a queue of files with progress, fed by choosing, dropping and pasting. */
import { Cancelled, send, type Transfer } from './transfer.js';

/** Two at a time keep a line busy without starving each other. */
const parallel = 2;
const archive = /\.(zip|tar|tgz|tar\.gz|tbz2?|tar\.bz2)$/i;

interface Item {
  readonly file: File;
  readonly row: HTMLElement;
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

  input.multiple = true;
  form.querySelector<HTMLElement>('[data-plain]')?.setAttribute('hidden', '');
  form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('change', () => {
    add(Array.from(input.files ?? []));
    input.value = '';
  });
  document.addEventListener('paste', (event) => add(Array.from(event.clipboardData?.files ?? [])));
  dropTarget(form.querySelector('[data-drop]'), add);
  addEventListener('beforeunload', (event) => {
    if (running > 0) event.preventDefault();
  });

  function add(files: readonly File[]): void {
    for (const file of files) {
      const row = makeRow(template, file);
      const item: Item = { file, row, transfer: null };
      find(row, '[data-cancel]').addEventListener('click', () => cancel(item));
      find(row, '[data-retry]').addEventListener('click', () => enqueue(item));
      list.append(row);
      enqueue(item);
    }
  }

  function enqueue(item: Item): void {
    show(item, 'waiting', 'Waiting');
    waiting.push(item);
    next();
  }

  function cancel(item: Item): void {
    const place = waiting.indexOf(item);
    if (place >= 0) {
      waiting.splice(place, 1);
      show(item, 'failed', 'Cancelled');
    }
    item.transfer?.cancel();
  }

  function next(): void {
    while (running < parallel) {
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
    const unpack =
      form.querySelector<HTMLInputElement>('[name="unpack"]')?.checked && archive.test(item.file.name);
    const url = unpack ? '/v1/image/upload/zip' : '/v1/image/upload';
    item.transfer = send(url, fields(form, item.file), (share) => {
      find<HTMLProgressElement>(item.row, '[data-progress]').value = share;
      state(item, share < 1 ? `${Math.round(share * 100)} %` : 'Storing');
    });
    try {
      const { link, page } = await item.transfer.done;
      const open = find<HTMLAnchorElement>(item.row, '[data-open]');
      open.href = page;
      find(item.row, '[data-copy]').dataset.copy = link;
      show(item, 'done', link);
    } catch (error) {
      show(
        item,
        'failed',
        error instanceof Cancelled ? 'Cancelled' : error instanceof Error ? error.message : 'Failed',
      );
    }
    item.transfer = null;
  }
}

/** The form's own fields with one file; times are moments, counted from now. */
function fields(form: HTMLFormElement, file: File): FormData {
  const data = new FormData(form);
  const hours = Number(data.get('expiresIn') ?? 0);
  for (const name of ['file', 'expiresIn', 'unpack']) data.delete(name);
  for (const [name, value] of [...data]) if (value === '') data.delete(name);
  if (hours > 0) data.set('expiresAt', new Date(Date.now() + hours * 3_600_000).toISOString());
  data.set('source', 'WEB');
  data.set('file', file, file.name);
  return data;
}

function makeRow(template: HTMLTemplateElement, file: File): HTMLElement {
  const row = template.content.firstElementChild?.cloneNode(true);
  if (!(row instanceof HTMLElement)) throw new Error('the template of a row is empty');
  find(row, '[data-name]').textContent = file.name;
  if (/^image\/(jpeg|png|gif|webp|avif)$/.test(file.type)) {
    const image = document.createElement('img');
    image.alt = '';
    image.src = URL.createObjectURL(file);
    image.addEventListener('load', () => URL.revokeObjectURL(image.src), { once: true });
    find(row, '[data-thumb]').replaceChildren(image);
  }
  return row;
}

function show(item: Item, kind: 'waiting' | 'running' | 'done' | 'failed', text: string): void {
  item.row.className = kind;
  state(item, text);
  const busy = kind === 'waiting' || kind === 'running';
  find(item.row, '[data-progress]').hidden = !busy;
  find(item.row, '[data-cancel]').hidden = !busy;
  find(item.row, '[data-retry]').hidden = kind !== 'failed';
  find(item.row, '[data-open]').hidden = kind !== 'done';
  find(item.row, '[data-copy]').hidden = kind !== 'done';
}

function state(item: Item, text: string): void {
  find(item.row, '[data-state]').textContent = text;
}

function find<T extends HTMLElement = HTMLElement>(row: HTMLElement, selector: string): T {
  const found = row.querySelector<T>(selector);
  if (found === null) throw new Error(`no ${selector} in a row`);
  return found;
}

/** The whole page takes files; the drop area says so while they hover. */
function dropTarget(area: Element | null, add: (files: readonly File[]) => void): void {
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    area?.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) area?.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    area?.classList.remove('over');
    add(Array.from(event.dataTransfer?.files ?? []));
  });
}
