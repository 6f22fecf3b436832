/** What every page carries: copying, wrapping, zooming, menus, the way back, times in the reader's own zone, forms sent once. */
import { sendOnce } from './sending.js';
import { changeInPlace } from './theme.js';
import { toast } from './toast.js';

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const copy = target?.closest<HTMLElement>('[data-copy], [data-copy-of]');
  const text = copy && (copy.dataset.copy ?? shownIn(copy.dataset.copyOf ?? ''));
  if (text) void copyText(text);
  const wrap = target?.closest<HTMLElement>('[data-wrap]');
  if (wrap) toggleWrap(wrap);
  const zoom = target?.closest<HTMLAnchorElement>('a[data-zoom]');
  if (zoom && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    showZoom(zoom);
  }
  closeMenus(target);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  // Whoever was in the menu goes on from where it was opened.
  const menu = document.activeElement?.closest('details[data-menu][open]');
  closeMenus(null);
  menu?.querySelector('summary')?.focus();
});

sendOnce();

for (const field of document.querySelectorAll<HTMLInputElement>('.copy input')) {
  field.addEventListener('focus', () => field.select());
}

const themes = document.querySelector<HTMLFormElement>('form[data-themes]');
if (themes) changeInPlace(themes);

if (document.body.dataset.reopens === 'true') history.replaceState(history.state, '');
else forgetNotice();

const own = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
for (const time of document.querySelectorAll('time')) time.title = own.format(new Date(time.dateTime));

/** What has been said once is not said again when the page is opened anew. */
function forgetNotice(): void {
  const address = new URL(location.href);
  const told = ['done', 'failed'].filter((name) => address.searchParams.has(name));
  if (told.length === 0) return;
  for (const name of told) address.searchParams.delete(name);
  history.replaceState(history.state, '', address);
}

/** The text of a part of the page, without the line break that ends its last line. */
const shownIn = (id: string): string => document.getElementById(id)?.textContent?.replace(/\n$/, '') ?? '';

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied');
  } catch {
    toast(copyByCommand(text) ? 'Copied' : 'The browser does not let us copy; select the text instead');
  }
}

/** The old way, for pages over plain http: browsers offer no clipboard there. False when it is refused, too. */
function copyByCommand(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.className = 'unseen';
  field.readOnly = true;
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}

function toggleWrap(button: HTMLElement): void {
  const wrapped = document.getElementById(button.dataset.wrap ?? '')?.classList.toggle('wrapped') ?? false;
  button.setAttribute('aria-pressed', String(wrapped));
}

function closeMenus(inside: Element | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
    if (inside === null || !menu.contains(inside)) menu.open = false;
  }
}

/** The picture at its own size; Escape, the button or a press on it goes back. */
function showZoom(link: HTMLAnchorElement): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'zoom';
  dialog.setAttribute('aria-label', link.getAttribute('aria-label') ?? 'Full size');
  const image = document.createElement('img');
  image.src = link.dataset.zoom ?? link.href;
  image.alt = link.querySelector('img')?.alt ?? '';
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.className = 'button plain';
  close.textContent = 'Close';
  form.append(close);
  dialog.append(image, form);
  image.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
