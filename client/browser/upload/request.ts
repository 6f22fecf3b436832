/**
 * The page of a request link: sends the chosen files one after another, in parts, and shows a receipt. They wait in the
 * storage of the browser until they have arrived, so that a lost network, a reload or a restart of the browser loses none
 * and sends none twice.
 */
import { find } from '../find.js';
import type { SealedFile } from '../sealed/sealing.js';
import { language, t } from '../speech.js';
import { tv } from '../values.js';
import { dropTarget } from './drop.js';
import { type Chosen, keptFor, newReceipt } from './kept.js';
import { Queue, type Queued, queueForm } from './queue.js';
import { rowFor, show } from './row.js';
import { answerParts, forgetting, later, Refused, SEALED_FILE } from './transfer.js';

/** How long after a lost connection a file is sent again, if the browser does not say before that it is online. */
const RETRY_MS = 10_000;

interface Sent extends Queued {
  readonly chosen: Chosen;
  /** What of it is sent, if the request is sealed. */
  sealed: Promise<SealedFile> | null;
}

queueForm('request', (form, list) => {
  const { request = '', ticket = null, recipient } = list.dataset;
  const kept = keptFor(request);
  const received: string[] = [];
  const queue = new Queue<Sent, void>({
    atOnce: 1,
    begin(item, on) {
      const { file, chosen } = item;
      const answer = { request, ticket, sender: chosen.sender, receipt: chosen.receipt };
      if (recipient === undefined) return answerParts({ file, name: file.name }, answer, on);
      item.sealed ??= sealFor(recipient, file);
      return later(
        item.sealed.then((sealed) => {
          const { source, sealedName } = sealed;
          const sent = { file: source, name: SEALED_FILE, sealedName };
          return forgetting(answerParts(sent, answer, on), sealed);
        }),
      );
    },
    received({ chosen, file, row }) {
      waiting.delete(file);
      received.push(chosen.name);
      void kept.arrived(chosen);
      show(row, 'done', t('Received'));
      tell();
    },
    refused(item, error) {
      if (!(error instanceof Refused)) return sendLater(item);
      end(item);
      show(item.row, 'failed', wordsOf(error));
    },
    ended: (item) => end(item),
  });

  dropTarget(form.querySelector('[data-drop]'), (files) => void restored.then(() => add(files)));
  const waiting = new Set<File>();
  const restored = kept.all().then((all) => {
    for (const chosen of all) {
      if (chosen.file !== null) enqueue(chosen, chosen.file);
      else shown(chosen, rowFor(chosen));
    }
  });
  return (files) => void restored.then(() => add(files));

  function add(files: readonly File[]): void {
    if (!form.reportValidity()) return;
    const sender = String(new FormData(form).get('name') ?? '').trim();
    // What waits since the page was open before is not chosen a second time.
    for (const file of files.filter((one) => ![...waiting].some((other) => isSame(one, other)))) {
      const chosen = { receipt: newReceipt(), name: file.name, sender, file, sentAt: null };
      // Kept before the first byte is sent.
      void kept.keep(chosen).then(() => enqueue(chosen, file));
    }
  }

  function enqueue(chosen: Chosen, file: File): void {
    const item: Sent = { file, chosen, row: rowFor(file), sealed: null };
    waiting.add(file);
    list.append(item.row);
    queue.listen(item);
    find(item.row, '[data-retry]').addEventListener('click', () => queue.add(item));
    returnable(item);
    queue.add(item);
  }

  function end({ chosen, file }: Sent): void {
    waiting.delete(file);
    void kept.forget(chosen);
  }

  /** A file that arrived before the page was opened. */
  function shown(chosen: Chosen, row: HTMLElement): void {
    list.append(row);
    returnable({ chosen, row });
    show(row, 'done', t('Received'));
  }

  function returnable({ chosen, row }: Pick<Sent, 'chosen' | 'row'>): void {
    find(row, '[data-take-back]').addEventListener('click', () => void takeBack(chosen, row));
  }

  async function takeBack(chosen: Chosen, row: HTMLElement): Promise<void> {
    const url = `/v1/request/open/${encodeURIComponent(request)}/files/${chosen.receipt}`;
    const headers = { 'Accept-Language': language };
    const answer = await fetch(url, { method: 'DELETE', headers }).catch(() => null);
    if (answer === null) return show(row, 'done', t('The connection was lost'));
    if (!answer.ok && answer.status !== 404) return show(row, 'done', t('It could not be taken back'));
    await kept.forget(chosen);
    row.remove();
  }

  /** Sends a file again as soon as there is a connection. */
  function sendLater(item: Sent): void {
    const { sealed, file } = item;
    if (sealed !== null && recipient !== undefined) {
      const anew = () => sealFor(recipient, file);
      item.sealed = sealed.then((one) => (one.goesBack ? one : anew()), anew);
    }
    show(item.row, 'waiting', t('The connection was lost. Continuing as soon as the server answers'));
    const again = (): void => {
      clearTimeout(timer);
      removeEventListener('online', again);
      queue.add(item);
    };
    const timer = setTimeout(again, RETRY_MS);
    addEventListener('online', again);
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

/** Seals a file to whoever asks for it. */
const sealFor = async (recipient: string, file: File): Promise<SealedFile> =>
  (await import('../sealed/sealing.js')).sealFile(file, { to: [recipient] });

const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/** Why a file was not received, in words for people. */
function wordsOf(error: Refused): string {
  if (error.status === 404) return t('This link takes no more files');
  return error.message === '' ? t('The file was not received') : error.message;
}
