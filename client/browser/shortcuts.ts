/**
 * Keys that lead somewhere, on every page: never while one types in a field, never with a modifier, which belongs to
 * the browser or to a screen reader.
 */
import { t } from './speech.js';

const PLACES: Readonly<Record<string, readonly [href: string, label: () => string]>> = {
  'g h': ['/', () => t('Overview')],
  'g l': ['/web/library', () => t('Library')],
  'g p': ['/web/pastes', () => t('Pastes')],
  'g k': ['/web/links', () => t('Links')],
  u: ['/web/image-upload', () => t('Upload')],
};
/** How long the second key of two may take. */
const PATIENCE_MS = 1_500;
const FIELDS = 'input, textarea, select, [contenteditable], video, audio';

/** Listens to them; `inside` if the reader is signed in and has the places that they lead to. */
export function listenForShortcuts(inside: boolean): void {
  let first = '';
  let since = 0;
  document.querySelector('[data-shortcuts]')?.addEventListener('click', () => showShortcuts(inside));
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (inside && key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey)
      return search(event, true);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || event.repeat) return;
    if (target instanceof Element && target.closest(FIELDS)) return;
    if (document.querySelector('dialog[open]')) return;
    const both = first !== '' && event.timeStamp - since < PATIENCE_MS ? `${first} ${key}` : key;
    first = key === 'g' ? key : '';
    since = event.timeStamp;
    if (key === '?') showShortcuts(inside);
    else if (key === '/') search(event, false);
    else if (inside && Object.hasOwn(PLACES, both)) location.assign(PLACES[both]?.[0] ?? '/');
  });
}

/** Goes to the search field of the page, or to that for everything; on a phone, to the page of that search. */
function search(event: KeyboardEvent, everything: boolean): void {
  const fields = Array.from(
    document.querySelectorAll<HTMLInputElement>('search input[type="search"]'),
  ).filter((field) => field.checkVisibility());
  // That for everything is above the page.
  const field = everything ? fields[0] : fields.at(-1);
  const page = document.querySelector<HTMLAnchorElement>('.find-all a');
  if (!field && !page) return;
  event.preventDefault();
  if (field) field.focus();
  else if (page) location.assign(page.href);
}

function showShortcuts(inside: boolean): void {
  const rows = [
    ['/', t('Search')],
    ...(inside ? [['Ctrl+K', t('Search everything')]] : []),
    ...(inside ? Object.entries(PLACES).map(([keys, [, label]]) => [keys, label()]) : []),
    ['← →', t('The previous and the next item of a list')],
    ['?', t('These shortcuts')],
  ];
  const dialog = document.createElement('dialog');
  dialog.className = 'shortcuts';
  const title = document.createElement('h2');
  title.id = 'shortcuts';
  title.textContent = t('Keyboard shortcuts');
  dialog.setAttribute('aria-labelledby', title.id);
  const list = document.createElement('dl');
  for (const [keys = '', label = ''] of rows) {
    const [row, term, text] = ['div', 'dt', 'dd'].map((name) => document.createElement(name));
    if (!row || !term || !text) continue;
    for (const key of keys.split(' ')) {
      const shown = document.createElement('kbd');
      shown.textContent = key;
      term.append(shown, ' ');
    }
    text.textContent = label;
    row.append(term, text);
    list.append(row);
  }
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.className = 'button plain';
  close.textContent = t('Close');
  form.append(close);
  dialog.append(title, list, form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
