/** The upload page: a queue of files with progress, filled by choosing, dropping and pasting files. */

import type { SealedFor } from '../../src/sealed.js';
import { find } from '../find.js';
import { offerSealing, sealedFor } from '../sealed/choice.js';
import type { SealedFile } from '../sealed/sealing.js';
import { language, t } from '../speech.js';
import { toast } from '../toast.js';
import { carried } from './carry.js';
import { dropTarget } from './drop.js';
import { FolderPanels } from './folder-panels.js';
import { giveBack, type Parcel, pack, takeAddress, UPLOAD_PATH } from './parcel.js';
import { inParts, Queue, type Queued, queueForm } from './queue.js';
import { sayRefusal } from './refusal.js';
import { fail, reveal, rowFor, show, showThumbnail } from './row.js';
import { idIn, Together } from './together.js';
import {
  forgetting,
  later,
  type On,
  Refused,
  SEALED_FILE,
  send,
  sendParts,
  type Transfer,
  type Uploaded,
} from './transfer.js';

interface Item extends Queued {
  /** The fields as they were when the file was chosen or retried. */
  parcel: Parcel;
  /** For whom it is sealed before it is sent; null if it is not. */
  whom: SealedFor | null;
  /** What of it is sent then. */
  sealed: Promise<SealedFile> | null;
  /** The collection that it goes into, by its id; "" for none. */
  into: string;
}

queueForm('upload', (form, list) => {
  const together = new Together();
  const queue = new Queue<Item, Uploaded>({
    // Two uploads at a time use the connection well without slowing each other down.
    atOnce: 2,
    begin(item, on) {
      const { file, whom } = item;
      const { url, fields } = item.parcel;
      if (whom !== null) return later(sendSealed(item, whom, on));
      const isLarge = inParts(file) && url === UPLOAD_PATH;
      return isLarge ? sendParts(fields, file, file.name, on) : send(url, fields, on.progress);
    },
    progress: (item, share) => together.progress(item, share),
    received(item, { link, page, metadataMayRemain }) {
      const { row } = item;
      find<HTMLAnchorElement>(row, '[data-open]').href = page;
      find(row, '[data-copy]').dataset.copy = link;
      find(row, '[data-note]').hidden = !metadataMayRemain;
      show(row, 'done', link);
      offerChange(row, page);
      together.add(item, { link, page });
      if (item.into !== '') void collect(item.into, page);
    },
    refused(item, error) {
      fail(item.row, sayRefusal(error, form));
      if (!(error instanceof Refused)) whenOnline(item);
    },
    ended: ({ parcel }) => giveBack(form, parcel),
    settled: tell,
  });

  form.addEventListener('invalid', (event) => reveal(event.target), true);
  document.addEventListener('paste', (event) => {
    // Text pasted into a field belongs there, even if the clipboard also holds an image of it.
    if (!(event.target instanceof Element && event.target.closest('input, textarea')))
      add(Array.from(event.clipboardData?.files ?? []));
  });
  const folders = new FolderPanels(form, list, add);
  offerSealing(form);
  dropTarget(form.querySelector('[data-drop]'), add, folders.addDropped);
  if (location.hash === '#carried') {
    // A reload must not send them again.
    history.replaceState(history.state, '', location.pathname + location.search);
    carried().then(add, () => undefined);
  }
  addEventListener('beforeunload', (event) => {
    if (queue.isBusy || folders.isBusy) event.preventDefault();
  });
  return add;

  function add(files: readonly File[]): void {
    const sound = files.length === 0 || form.reportValidity();
    for (const item of files.map(listed)) {
      if (sound) enqueue(item);
      else show(item.row, 'failed', t('Please correct the options, then try again'));
    }
    tell();
  }

  function listed(file: File): Item {
    const item: Item = {
      file,
      row: rowFor(file),
      parcel: pack(form, file),
      whom: null,
      sealed: null,
      into: '',
    };
    const { row } = item;
    showThumbnail(row, file);
    queue.listen(item);
    find(row, '[data-retry]').addEventListener('click', () => {
      if (form.reportValidity()) enqueue(item);
    });
    find(row, '[data-remove]').addEventListener('click', () => {
      row.remove();
      together.leave(item);
      tell();
      find(form, '#file').focus();
    });
    list.append(row);
    return item;
  }

  function tell(): void {
    together.settled(list.querySelectorAll(':scope > .failed').length);
  }

  function enqueue(item: Item): void {
    item.parcel = pack(form, item.file);
    item.whom = sealedFor(form);
    item.sealed = null;
    item.into = form.querySelector<HTMLSelectElement>('[name="collection"]')?.value ?? '';
    if (item.whom === null && item.into !== '' && form.dataset.sealedOnly?.split(' ').includes(item.into)) {
      show(item.row, 'failed', t('A sealed collection takes sealed files only'));
      tell();
      return;
    }
    takeAddress(form, item.parcel);
    together.begin(item, item.file.size);
    queue.add(item);
    tell();
  }

  /** What failed because there was no connection goes on by itself. */
  function whenOnline(item: Item): void {
    const again = (): void => {
      if (item.row.isConnected && item.row.className === 'failed') enqueue(item);
    };
    addEventListener('online', again, { once: true });
  }
});

/** Leads to where the options of a file are changed; the page of a collection is that place itself. */
function offerChange(row: HTMLElement, page: string): void {
  const change = row.querySelector<HTMLAnchorElement>('[data-change]');
  if (change === null) return;
  change.href = `/web/edit/image/${idIn(page)}`;
  change.hidden = !page.includes('/web/image-render/');
}

/** Puts a file into a collection; if that fails, it is in the library all the same. */
async function collect(into: string, page: string): Promise<void> {
  const answer = await fetch(`/v1/collection/${encodeURIComponent(into)}/items`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
    body: JSON.stringify({ items: [{ uniqueId: idIn(page) }] }),
  }).catch(() => null);
  if (answer?.ok !== true) toast(t('Uploaded, but it could not be added to the collection'));
}

/** Seals a file, with its description, while it is sent; what was paused continues with the same key. */
async function sendSealed(item: Item, whom: SealedFor, on: On): Promise<Transfer<Uploaded>> {
  const { file, parcel } = item;
  const described = parcel.fields.get('desc')?.toString();
  item.sealed ??= import('../sealed/sealing.js').then(({ sealFile }) => sealFile(file, whom, described));
  const sealed = await item.sealed;
  const { source, sealedName, fragment } = sealed;
  const fields = new FormData();
  for (const [name, value] of parcel.fields) if (!['file', 'desc'].includes(name)) fields.append(name, value);
  fields.set('sealed', 'true');
  fields.set('sealedName', sealedName);
  const transfer = forgetting(sendParts(fields, source, SEALED_FILE, on), sealed);
  const withKey = ({ link, page, ...made }: Uploaded): Uploaded => ({
    ...made,
    link: link + fragment,
    page: page + fragment,
  });
  return { ...transfer, done: transfer.done.then(withKey) };
}
