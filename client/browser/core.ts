/**
 * Loaded by every page: copying, line wrapping, zoom, menus, notices, what cannot be shown, local times, and forms that
 * are sent only once.
 */
import { sendOnce } from './sending.js';
import { changeInPlace } from './theme.js';
import { toast } from './toast.js';
import { watchShown } from './unshown.js';

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
  // If the focus was in the menu, it goes back to the button that opened it.
  const menu = document.activeElement?.closest('details[data-menu][open]');
  closeMenus(null);
  menu?.querySelector('summary')?.focus();
});

sendOnce();
watchShown();

for (const field of document.querySelectorAll<HTMLInputElement>('.copy input')) {
  field.addEventListener('focus', () => field.select());
}

const themes = document.querySelector<HTMLFormElement>('form[data-themes]');
if (themes) changeInPlace(themes);

if (document.body.dataset.reopens === 'true') history.replaceState(history.state, '');
else forgetNotice();

const own = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
for (const time of document.querySelectorAll('time')) time.title = own.format(new Date(time.dateTime));

/** Removes the notice from the address, so that a reload does not show it again. */
function forgetNotice(): void {
  const address = new URL(location.href);
  const told = ['done', 'failed'].filter((name) => address.searchParams.has(name));
  if (told.length === 0) return;
  for (const name of told) address.searchParams.delete(name);
  history.replaceState(history.state, '', address);
}

/** The text of an element, without a line break at its end. */
const shownIn = (id: string): string => document.getElementById(id)?.textContent?.replace(/\n$/, '') ?? '';

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast('Copied');
  } catch {
    toast(copyByCommand(text) ? 'Copied' : 'Your browser does not allow copying; select the text instead');
  }
}

/**
 * The old way to copy, for pages over plain http, where browsers offer no clipboard. False if it is refused as well.
 */
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

/** Shows the image in full size. Escape, the button or a click on it closes it. */
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
