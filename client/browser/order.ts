/** Loaded by the owner's page of a collection: its files are dragged to their places. Without it there are buttons. */
import { t } from './speech.js';
import { toast } from './toast.js';

const list = document.querySelector<HTMLOListElement>('ol[data-order]');
if (list) start(list);

function start(list: HTMLOListElement): void {
  let dragged: HTMLElement | null = null;
  let before: Element | null = null;
  for (const row of list.querySelectorAll<HTMLElement>(':scope > li')) row.draggable = true;
  list.addEventListener('dragstart', (event) => {
    const row = rowOf(event.target);
    if (row === null) return;
    dragged = row;
    before = row.nextElementSibling;
    event.dataTransfer?.setData('text/plain', '');
    row.classList.add('dragged');
  });
  list.addEventListener('dragover', (event) => {
    const over = rowOf(event.target);
    if (dragged === null) return;
    event.preventDefault();
    if (over === null || over === dragged) return;
    const { left, width } = over.getBoundingClientRect();
    list.insertBefore(dragged, event.clientX < left + width / 2 ? over : over.nextSibling);
  });
  list.addEventListener('drop', (event) => {
    if (dragged === null) return;
    event.preventDefault();
    const moved = dragged;
    dragged = null;
    if (moved.nextElementSibling !== before) void save(moved, before);
  });
  list.addEventListener('dragend', () => {
    // Not dropped on the list: it goes back.
    if (dragged !== null) list.insertBefore(dragged, before);
    dragged = null;
    for (const row of list.children) row.classList.remove('dragged');
  });

  const rowOf = (target: EventTarget | null): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('ol[data-order] > li') : null;

  async function save(row: HTMLElement, back: Element | null): Promise<void> {
    const form = row.querySelector('form');
    const id = form?.querySelector<HTMLInputElement>('input[name="id"]')?.value;
    if (!form || id === undefined) return;
    const to = String(pagesBefore(list) + [...list.children].indexOf(row));
    const body = new URLSearchParams({ action: 'place', id, to });
    try {
      // The buttons of the form are called like its property.
      const answer = await fetch(form.getAttribute('action') ?? '', { method: 'POST', body });
      if (!answer.ok) throw new Error();
      endsOf(list);
      toast(t('Saved'));
    } catch {
      list.insertBefore(row, back);
      toast(t('The order could not be saved'));
    }
  }
}

/** How many items are on the pages before this one. */
const pagesBefore = (list: HTMLElement): number => Number(list.dataset.before ?? 0);

/** The first item cannot move up, and the last one not down. */
function endsOf(list: HTMLOListElement): void {
  const last = Number(list.dataset.total) - 1;
  for (const [index, row] of [...list.children].entries())
    for (const button of row.querySelectorAll<HTMLButtonElement>('button[name="action"]')) {
      if (button.value === 'up' || button.value === 'top') button.disabled = pagesBefore(list) + index === 0;
      if (button.value === 'down') button.disabled = pagesBefore(list) + index === last;
    }
}
