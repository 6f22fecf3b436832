/**
 * Loaded by every page: copying, filters, menus, notices, what cannot be shown, local times, and forms that
 * are sent only once.
 */
import { openAbove } from './above.js';
import { sendOnce } from './sending.js';
import { offerSharing } from './share.js';
import { listenForShortcuts } from './shortcuts.js';
import { t } from './speech.js';
import { changeInPlace } from './theme.js';
import { localizeDays, localizeFields, localizeTimes } from './times.js';
import { toast } from './toast.js';
import { watchShown } from './unshown.js';

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const copy = target?.closest<HTMLElement>('[data-copy], [data-copy-of]');
  const text = copy && (copy.dataset.copy ?? shownIn(copy.dataset.copyOf ?? ''));
  if (text) void copyText(text);
  closeMenus(target);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  // If the focus was in the menu, it goes back to the button that opened it.
  const menu = document.activeElement?.closest('details[data-menu][open]');
  if (closeMenus(null)) event.preventDefault();
  menu?.querySelector('summary')?.focus();
});

// A filter applies once it is chosen; without scripts there is a button.
for (const choice of document.querySelectorAll<HTMLSelectElement>('search form select'))
  choice.addEventListener('change', () => choice.form?.requestSubmit());

sendOnce();
openAbove();
watchShown();
offerSharing();
listenForShortcuts(document.body.dataset.viewer === 'true');

for (const field of document.querySelectorAll<HTMLInputElement>('.copy input')) {
  field.addEventListener('focus', () => field.select());
}

const themes = document.querySelector<HTMLFormElement>('form[data-themes]');
if (themes) changeInPlace(themes);

// Of tabs that are wider than a phone, the current one is in sight.
document.querySelector('.strip [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

if (document.body.dataset.reopens === 'true') history.replaceState(history.state, '');
else forgetNotice();

localizeTimes();
localizeFields();
localizeDays();

// The link of what was just created is copied where the browser allows that; there is a button, too.
const made = document.querySelector<HTMLElement>('.made [data-copy]')?.dataset.copy;
if (made)
  navigator.clipboard?.writeText(made).then(
    () => toast(t('Link copied')),
    () => undefined,
  );

/** Removes the notice from the address, so that a reload does not show it again. */
function forgetNotice(): void {
  const address = new URL(location.href);
  const localizable = ['done', 'failed'].filter((name) => address.searchParams.has(name));
  if (localizable.length === 0) return;
  for (const name of localizable) address.searchParams.delete(name);
  history.replaceState(history.state, '', address);
}

/** The text of an element, without a line break at its end. */
const shownIn = (id: string): string => document.getElementById(id)?.textContent?.replace(/\n$/, '') ?? '';

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('Copied'));
  } catch {
    toast(
      copyByCommand(text) ? t('Copied') : t('Your browser does not allow copying; select the text instead'),
    );
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

/** Closes the menus in which this element is not; whether there were any. */
function closeMenus(inside: Element | null): boolean {
  const menus = Array.from(document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')).filter(
    (menu) => inside === null || !menu.contains(inside),
  );
  for (const menu of menus) menu.open = false;
  return menus.length > 0;
}
