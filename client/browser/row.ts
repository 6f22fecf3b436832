import { find } from './find.js';
import type { Said } from './refusal.js';

/** A queue row with the name of a file. */
export function plainRow(template: HTMLTemplateElement, file: File): HTMLElement {
  const row = template.content.firstElementChild?.cloneNode(true);
  if (!(row instanceof HTMLElement)) throw new Error('the template of a row is empty');
  find(row, '[data-name]').textContent = file.name;
  return row;
}

/** A queue row for a file, with a thumbnail if the browser can show it. */
export function makeRow(template: HTMLTemplateElement, file: File): HTMLElement {
  const row = plainRow(template, file);
  if (file.type.startsWith('image/')) {
    const image = document.createElement('img');
    image.alt = '';
    image.src = URL.createObjectURL(file);
    // Only what this browser can show replaces the icon.
    image.addEventListener('load', () => find(row, '[data-thumb]').replaceChildren(image), { once: true });
    for (const end of ['load', 'error'])
      image.addEventListener(end, () => URL.revokeObjectURL(image.src), { once: true });
  }
  return row;
}

type Status = 'held' | 'waiting' | 'running' | 'paused' | 'done' | 'failed';

const BUSY: readonly Status[] = ['waiting', 'running', 'paused'];

/** When each part of a row is shown; what is shown otherwise is up to the caller. A row need not have all of them. */
const SHOWN: readonly (readonly [part: string, when: readonly Status[]])[] = [
  ['[data-progress]', BUSY],
  ['[data-cancel]', BUSY],
  ['[data-pause]', []],
  ['[data-resume]', ['paused']],
  ['[data-retry]', ['failed']],
  ['[data-remove]', ['failed', 'held']],
  ['[data-sign-in]', []],
  ['[data-open]', ['done']],
  ['[data-copy]', ['done']],
];

/** Shows the status of a file and the buttons that apply to it. */
export function show(row: HTMLElement, status: Status, text: string): void {
  const held = row.contains(document.activeElement);
  row.className = status;
  state(row, text);
  for (const [selector, when] of SHOWN) {
    const part = row.querySelector<HTMLElement>(selector);
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
