/** The page of a request link: sends the chosen files one after another, large ones in parts, and shows a receipt. */

import { find } from '../find.js';
import { t } from '../speech.js';
import { tv } from '../values.js';
import { dropTarget } from './drop.js';
import { inParts, Queue, type Queued, queueForm } from './queue.js';
import { rowFor, show } from './row.js';
import { answerParts, Refused, sendAnswer } from './transfer.js';

queueForm('request', (form, list) => {
  const received: string[] = [];
  const queue = new Queue<Queued, void>({
    atOnce: 1,
    begin({ file }, on) {
      const fields = new FormData(form);
      const { request = '', ticket = null, url = '' } = list.dataset;
      if (inParts(file)) {
        const sender = String(fields.get('name') ?? '').trim();
        return answerParts(file, { request, ticket, sender }, on);
      }
      fields.set('file', file, file.name);
      return sendAnswer(url, fields, on.progress);
    },
    received({ file, row }) {
      received.push(file.name);
      show(row, 'done', t('Received'));
      tell();
    },
    refused: ({ row }, error) => show(row, 'failed', wordsOf(error)),
  });

  dropTarget(form.querySelector('[data-drop]'), add);
  addEventListener('beforeunload', (event) => {
    if (queue.isBusy) event.preventDefault();
  });
  return add;

  function add(files: readonly File[]): void {
    if (!form.reportValidity()) return;
    for (const file of files) {
      const item = { file, row: rowFor(file) };
      list.append(item.row);
      queue.listen(item);
      find(item.row, '[data-retry]').addEventListener('click', () => queue.add(item));
      queue.add(item);
    }
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
});

/** Why a file was not received, in words for people. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Refused)) return t('The connection was lost');
  if (error.status === 404) return t('This link takes no more files');
  return error.message === '' ? t('The file was not received') : error.message;
}
