/** The page of a request link: sends the chosen files one after another, with progress, and shows a receipt. */
import { dropTarget } from './drop.js';
import { find } from './find.js';

const form = document.querySelector<HTMLFormElement>('form[data-script="request"]');
const list = form?.querySelector<HTMLElement>('[data-queue]');
const input = form?.querySelector<HTMLInputElement>('input[type="file"]');
const template = document.querySelector<HTMLTemplateElement>('#request-row');

if (form && list && input && template) start(form, list, input, template);

function start(
  form: HTMLFormElement,
  list: HTMLElement,
  input: HTMLInputElement,
  template: HTMLTemplateElement,
): void {
  const waiting: (() => Promise<void>)[] = [];
  const received: string[] = [];
  let isRunning = false;

  input.multiple = true;
  // Chosen files move to the list right away, so this field is always empty when the form is validated.
  input.required = false;
  find(form, '[data-plain]').hidden = true;
  form.addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('change', () => {
    add(Array.from(input.files ?? []));
    input.value = '';
  });
  dropTarget(form.querySelector('[data-drop]'), add);
  addEventListener('beforeunload', (event) => {
    if (isRunning || waiting.length > 0) event.preventDefault();
  });

  function add(files: readonly File[]): void {
    if (!form.reportValidity()) return;
    for (const file of files) enqueue(file, makeRow(file));
  }

  function makeRow(file: File): HTMLElement {
    const row = template.content.firstElementChild?.cloneNode(true);
    if (!(row instanceof HTMLElement)) throw new Error('the template of a row is empty');
    find(row, '[data-name]').textContent = file.name;
    list.append(row);
    return row;
  }

  function enqueue(file: File, row: HTMLElement): void {
    show(row, 'waiting', 'Waiting');
    const work = () => send(file, row);
    find(row, '[data-cancel]').onclick = () => {
      const place = waiting.indexOf(work);
      if (place < 0) return;
      waiting.splice(place, 1);
      show(row, 'failed', 'Cancelled');
    };
    find(row, '[data-retry]').onclick = () => enqueue(file, row);
    waiting.push(work);
    void next();
  }

  async function next(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await work();
    isRunning = false;
  }

  /** Sends one file; never fails, because its row says what happened. XMLHttpRequest, because fetch reports no progress. */
  function send(file: File, row: HTMLElement): Promise<void> {
    const request = new XMLHttpRequest();
    const fields = new FormData(form);
    fields.delete('file');
    fields.set('file', file, file.name);
    show(row, 'running', 'Sending');
    find(row, '[data-cancel]').onclick = () => request.abort();
    return new Promise((resolve) => {
      const end = (kind: 'done' | 'failed', text: string): void => {
        show(row, kind, text);
        resolve();
      };
      request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
        find<HTMLProgressElement>(row, '[data-progress]').value = lengthComputable ? loaded / total : 0;
      });
      request.addEventListener('load', () => {
        if (request.status !== 200) return end('failed', wordsOf(request));
        received.push(file.name);
        end('done', 'Received');
        tell();
      });
      request.addEventListener('error', () => end('failed', 'The connection was lost'));
      request.addEventListener('abort', () => end('failed', 'Cancelled'));
      request.open('POST', list.dataset.url ?? '');
      request.send(fields);
    });
  }

  /** The receipt: how many files have arrived. */
  function tell(): void {
    const receipt = find(form, '[data-receipt]');
    receipt.hidden = false;
    find(receipt, 'span').textContent =
      received.length === 1
        ? `Received: ${received[0]}`
        : `${received.length} files were received. Thank you!`;
  }
}

function show(row: HTMLElement, kind: 'waiting' | 'running' | 'done' | 'failed', text: string): void {
  row.className = kind;
  find(row, '[data-state]').textContent = text;
  const busy = kind === 'waiting' || kind === 'running';
  find(row, '[data-progress]').hidden = !busy;
  find(row, '[data-cancel]').hidden = !busy;
  find(row, '[data-retry]').hidden = kind !== 'failed';
}

/** What the server says, in words for people. */
function wordsOf(request: XMLHttpRequest): string {
  if (request.status === 404) return 'This link takes no more files';
  try {
    const { message } = JSON.parse(request.responseText) as { readonly message?: unknown };
    return typeof message === 'string' ? message : 'The file was not received';
  } catch {
    return 'The file was not received';
  }
}
