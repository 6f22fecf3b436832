/** The page of a request link: sends the chosen files one after another, large ones in parts, and shows a receipt. */
import { RESUMABLE_FROM_BYTES } from '../src/parts.js';
import { dropTarget } from './drop.js';
import { find } from './find.js';
import { plainRow, show, state } from './row.js';
import { t } from './speech.js';
import { type Answering, answerParts, Cancelled, Paused, Refused, sendAnswer } from './transfer.js';
import { tv } from './values.js';

const form = document.querySelector<HTMLFormElement>('form[data-script="request"]');
const list = form?.querySelector<HTMLElement>('[data-queue]');
const input = form?.querySelector<HTMLInputElement>('input[type="file"]');
const template = document.querySelector<HTMLTemplateElement>('#request-row');

if (form && list && input && template) start(form, list, input, template);

interface Item {
  readonly file: File;
  readonly row: HTMLElement;
  /** While it is being sent. */
  sending: Answering | null;
}

function start(
  form: HTMLFormElement,
  list: HTMLElement,
  input: HTMLInputElement,
  template: HTMLTemplateElement,
): void {
  const waiting: Item[] = [];
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
    for (const file of files) {
      const item: Item = { file, row: plainRow(template, file), sending: null };
      list.append(item.row);
      find(item.row, '[data-cancel]').onclick = () => cancel(item);
      find(item.row, '[data-pause]').onclick = () => item.sending?.pause?.();
      for (const button of ['[data-resume]', '[data-retry]'])
        find(item.row, button).onclick = () => enqueue(item);
      enqueue(item);
    }
  }

  function enqueue(item: Item): void {
    show(item.row, 'waiting', t('Waiting'));
    waiting.push(item);
    void next();
  }

  function cancel(item: Item): void {
    const place = waiting.indexOf(item);
    if (place >= 0) waiting.splice(place, 1);
    if (item.sending !== null) {
      item.sending.cancel();
      return;
    }
    if (item.row.className === 'paused') {
      // It is begun once more only to be ended, because the server keeps what it has.
      const ending = begin(item);
      ending.done.catch(() => undefined);
      ending.cancel();
    }
    show(item.row, 'failed', t('Cancelled'));
  }

  async function next(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
    isRunning = false;
  }

  /** Starts sending: a large file in parts, so that it can be continued. */
  function begin({ file, row }: Item): Answering {
    const bar = find<HTMLProgressElement>(row, '[data-progress]');
    const progress = (share: number): void => {
      bar.value = share;
    };
    const fields = new FormData(form);
    if (file.size > RESUMABLE_FROM_BYTES) {
      const { request = '', ticket = null } = list.dataset;
      const sender = String(fields.get('name') ?? '').trim();
      const away = (): void =>
        state(row, t('The connection was lost. Continuing as soon as the server answers'));
      return answerParts(file, { request, ticket, sender }, { progress, away });
    }
    fields.set('file', file, file.name);
    return sendAnswer(list.dataset.url ?? '', fields, progress);
  }

  /** Sends one file; never fails, because its row says what happened. */
  async function run(item: Item): Promise<void> {
    const { row, file } = item;
    const sending = begin(item);
    item.sending = sending;
    show(row, 'running', t('Sending'));
    find(row, '[data-pause]').hidden = sending.pause === null;
    try {
      await sending.done;
      received.push(file.name);
      show(row, 'done', t('Received'));
      tell();
    } catch (error) {
      if (error instanceof Paused) show(row, 'paused', t('Paused'));
      else show(row, 'failed', wordsOf(error));
    }
    item.sending = null;
  }

  /** The receipt: how many files have arrived. */
  function tell(): void {
    const receipt = find(form, '[data-receipt]');
    receipt.hidden = false;
    find(receipt, 'span').textContent =
      received.length === 1
        ? tv('Received: {names}', { names: received[0] ?? '' })
        : tv('{n, plural, one {# file was received} other {# files were received}}. Thank you!', {
            n: received.length,
          });
  }
}

/** Why a file was not received, in words for people. */
function wordsOf(error: unknown): string {
  if (error instanceof Cancelled) return t('Cancelled');
  if (!(error instanceof Refused)) return t('The connection was lost');
  if (error.status === 404) return t('This link takes no more files');
  return error.message === '' ? t('The file was not received') : error.message;
}
