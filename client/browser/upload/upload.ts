/** The upload page: a queue of files with progress, filled by choosing, dropping and pasting files. */

import type { SealedFor } from '../../src/sealed.js';
import { find } from '../find.js';
import { offerSealing, sealedFor } from '../sealed/choice.js';
import type { SealedFile } from '../sealed/sealing.js';
import { t } from '../speech.js';
import { carried } from './carry.js';
import { dropTarget } from './drop.js';
import { FolderPanels } from './folder-panels.js';
import { giveBack, type Parcel, pack, takeAddress, UPLOAD_PATH } from './parcel.js';
import { inParts, Queue, type Queued, queueForm } from './queue.js';
import { sayRefusal } from './refusal.js';
import { fail, reveal, rowFor, show, showThumbnail } from './row.js';
import { Together } from './together.js';
import { later, type On, SEALED_FILE, send, sendParts, type Transfer, type Uploaded } from './transfer.js';

interface Item extends Queued {
  /** The fields as they were when the file was chosen or retried. */
  parcel: Parcel;
  /** For whom it is sealed before it is sent; null if it is not. */
  whom: SealedFor | null;
  /** What of it is sent then. */
  sealed: Promise<SealedFile> | null;
}

queueForm('upload', (form, list, plain) => {
  /** Chosen on another page: they wait until their options are set. */
  const held = new Set<Item>();
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
    received({ row }, { link, page, metadataMayRemain }) {
      find<HTMLAnchorElement>(row, '[data-open]').href = page;
      find(row, '[data-copy]').dataset.copy = link;
      find(row, '[data-note]').hidden = !metadataMayRemain;
      show(row, 'done', link);
      together.add({ link, page });
    },
    refused: ({ row }, error) => fail(row, sayRefusal(error, form)),
    ended: ({ parcel }) => giveBack(form, parcel),
    settled: tell,
  });

  form.addEventListener('submit', () => {
    for (const item of held) enqueue(item);
    release();
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
    history.replaceState(history.state, '', location.pathname);
    carried().then(hold, () => undefined);
  }
  addEventListener('beforeunload', (event) => {
    if (queue.isBusy || held.size > 0 || folders.isBusy) event.preventDefault();
  });
  return add;

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
      show(item.row, 'held', t('Ready to upload with these options'));
    }
    if (held.size === 0) return;
    whileHeld(true);
    reveal(form.querySelector('details *'));
    // The options stay in sight.
    plain.querySelector('button')?.focus({ preventScroll: true });
  }

  function whileHeld(isHeld: boolean): void {
    plain.hidden = !isHeld;
  }

  function release(): void {
    held.clear();
    whileHeld(false);
  }

  function listed(file: File): Item {
    const item: Item = { file, row: rowFor(file), parcel: pack(form, file), whom: null, sealed: null };
    const { row } = item;
    showThumbnail(row, file);
    queue.listen(item);
    find(row, '[data-retry]').addEventListener('click', () => {
      if (form.reportValidity()) enqueue(item);
    });
    find(row, '[data-remove]').addEventListener('click', () => {
      row.remove();
      if (held.delete(item) && held.size === 0) release();
      tell();
      find(form, '#file').focus();
    });
    list.append(row);
    return item;
  }

  function tell(): void {
    together.show(list.children.length, list.querySelectorAll(':scope > .failed').length);
  }

  function enqueue(item: Item): void {
    item.parcel = pack(form, item.file);
    item.whom = sealedFor(form);
    item.sealed = null;
    takeAddress(form, item.parcel);
    queue.add(item);
  }
});

/** Seals a file, with its description, while it is sent; what was paused continues with the same key. */
async function sendSealed(item: Item, whom: SealedFor, on: On): Promise<Transfer<Uploaded>> {
  const { file, parcel } = item;
  const described = parcel.fields.get('desc')?.toString();
  item.sealed ??= import('../sealed/sealing.js').then(({ sealFile }) => sealFile(file, whom, described));
  const { source, sealedName, fragment } = await item.sealed;
  const fields = new FormData();
  for (const [name, value] of parcel.fields) if (!['file', 'desc'].includes(name)) fields.append(name, value);
  fields.set('sealed', 'true');
  fields.set('sealedName', sealedName);
  const transfer = sendParts(fields, source, SEALED_FILE, on);
  const withKey = ({ link, page, ...made }: Uploaded): Uploaded => ({
    ...made,
    link: link + fragment,
    page: page + fragment,
  });
  return { ...transfer, done: transfer.done.then(withKey) };
}
