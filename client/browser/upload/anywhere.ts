/** Loaded by pages of signed-in people that take no files themselves: files dropped or pasted there are uploaded. */

import { t } from '../speech.js';
import { toast } from '../toast.js';
import { carry } from './carry.js';
import { dropTarget } from './drop.js';

/** The upload page takes them when it is opened there; on the page of a collection they go into that. */
const into = document.body.dataset.into;
const UPLOAD = `/web/image-upload${into === undefined ? '' : `?collection=${encodeURIComponent(into)}`}#carried`;

async function upload(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  try {
    await carry(files);
    location.assign(UPLOAD);
  } catch {
    toast(t('This browser cannot take files here: drop them on the upload page'));
  }
}

dropTarget(document.body, (files) => void upload(files));
document.addEventListener('paste', (event) => {
  // Text pasted into a field belongs there, even if the clipboard also holds an image of it.
  if (event.target instanceof Element && event.target.closest('input, textarea')) return;
  void upload(Array.from(event.clipboardData?.files ?? []));
});
