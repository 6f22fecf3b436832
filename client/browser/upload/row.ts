import type { RowAction } from '../attributes.js';
import { find } from '../find.js';
import type { Said } from './refusal.js';

/** A queue row for a file, as the page has it in its template. */
export function rowFor(file: { readonly name: string }): HTMLElement {
  const row = document.querySelector<HTMLTemplateElement>('#queue-row')?.content.firstElementChild;
  const copy = row?.cloneNode(true);
  if (!(copy instanceof HTMLElement)) throw new Error('the page has no template of a row');
  find(copy, '[data-name]').textContent = file.name;
  return copy;
}

/** Shows a thumbnail in the row of a file that this browser can show. */
export function showThumbnail(row: HTMLElement, file: File): void {
  if (!file.type.startsWith('image/')) return;
  const image = document.createElement('img');
  image.alt = '';
  image.src = URL.createObjectURL(file);
  // Only what this browser can show replaces the icon.
  image.addEventListener('load', () => find(row, '[data-thumb]').replaceChildren(image), { once: true });
  for (const end of ['load', 'error'])
    image.addEventListener(end, () => URL.revokeObjectURL(image.src), { once: true });
}

type Status = 'waiting' | 'running' | 'paused' | 'done' | 'failed';

const BUSY: readonly Status[] = ['waiting', 'running', 'paused'];

/** When each part of a row is shown; what is shown otherwise is up to the caller. A row need not have all of them. */
const SHOWN: Readonly<Record<Exclude<RowAction, 'start'> | 'progress', readonly Status[]>> = {
  progress: BUSY,
  cancel: BUSY,
  pause: [],
  resume: ['paused'],
  retry: ['failed'],
  remove: ['failed'],
  'sign-in': [],
  open: ['done'],
  change: ['done'],
  copy: ['done'],
  'take-back': ['done'],
};

/** Shows the status of a file and the buttons that apply to it. */
export function show(row: HTMLElement, status: Status, text: string): void {
  const held = row.contains(document.activeElement);
  row.className = status;
  state(row, text);
  for (const [name, when] of Object.entries(SHOWN)) {
    const part = row.querySelector<HTMLElement>(`[data-${name}]`);
    if (part !== null) part.hidden = !when.includes(status);
  }
  // The button that had the focus may be hidden now.
  if (held) row.querySelector<HTMLElement>('.actions > :not([hidden])')?.focus();
}

/** Shows why a file was refused, and the field that caused it. */
export function fail(row: HTMLElement, { text, field, signIn }: Said): void {
  show(row, 'failed', text);
  find(row, '[data-sign-in]').hidden = !signIn;
  reveal(field);
}

/** Shows the status text of a file. */
export function state(row: HTMLElement, text: string): void {
  find(row, '[data-state]').textContent = text;
}

/** Opens the options when a field in them needs correcting. */
export function reveal(field: EventTarget | null): void {
  const options = field instanceof Element ? field.closest('details') : null;
  if (options) options.open = true;
}
