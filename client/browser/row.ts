import { find } from './find.js';
import type { Said } from './refusal.js';

/** A queue row for a file, with a thumbnail if the browser can show it. */
export function makeRow(template: HTMLTemplateElement, file: File): HTMLElement {
  const row = template.content.firstElementChild?.cloneNode(true);
  if (!(row instanceof HTMLElement)) throw new Error('the template of a row is empty');
  find(row, '[data-name]').textContent = file.name;
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

/** Shows the status of a file and the buttons that apply to it. */
export function show(
  row: HTMLElement,
  kind: 'held' | 'waiting' | 'running' | 'paused' | 'done' | 'failed',
  text: string,
): void {
  const held = row.contains(document.activeElement);
  row.className = kind;
  state(row, text);
  const busy = kind === 'waiting' || kind === 'running' || kind === 'paused';
  find(row, '[data-progress]').hidden = !busy;
  find(row, '[data-cancel]').hidden = !busy;
  find(row, '[data-pause]').hidden = true;
  find(row, '[data-resume]').hidden = kind !== 'paused';
  find(row, '[data-retry]').hidden = kind !== 'failed';
  find(row, '[data-remove]').hidden = kind !== 'failed' && kind !== 'held';
  find(row, '[data-sign-in]').hidden = true;
  find(row, '[data-open]').hidden = kind !== 'done';
  find(row, '[data-copy]').hidden = kind !== 'done';
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
