import type { RowAction } from '../attributes.js';
import { find } from '../find.js';
import { tv } from '../values.js';

const BUTTONS = [
  'start',
  'pause',
  'resume',
  'retry',
  'cancel',
  'remove',
  'sign-in',
] as const satisfies RowAction[];
/** The buttons of a folder that apply now. */
export type Buttons = readonly (typeof BUTTONS)[number][];

/** More lines than anybody reads are only counted. */
const MAX_LINES = 200;

/** Shows these buttons of a folder; the focus moves on if its button is hidden. */
export function showButtons(section: HTMLElement, shown: Buttons): void {
  const held = section.contains(document.activeElement);
  for (const name of BUTTONS) find(section, `[data-${name}]`).hidden = !shown.includes(name);
  if (held && document.activeElement?.matches(':not([hidden])') !== true)
    section.querySelector<HTMLElement>('.actions > :not([hidden])')?.focus();
}

/** Fills a list that can be opened, with its heading; hides an empty one. */
export function fillList(details: HTMLElement, lines: readonly string[], heading: string): void {
  details.hidden = lines.length === 0;
  find(details, 'summary').textContent = heading;
  const more = lines.length - MAX_LINES;
  const all = more > 0 ? [...lines.slice(0, MAX_LINES), tv('… and {more, number} more', { more })] : lines;
  find(details, 'ul').replaceChildren(
    ...all.map((line) => {
      const item = document.createElement('li');
      item.dir = 'auto';
      item.textContent = line;
      return item;
    }),
  );
}
