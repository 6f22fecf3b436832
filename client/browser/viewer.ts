/**
 * Loaded by the pages of items: arrow keys and swipes lead to what is beside an item in its list, and a click on its
 * picture shows it on the whole screen. Without it there are links for the one and for the other.
 */

import { t } from './speech.js';
import { measureRecording } from './upload/length.js';
import { Zoom } from './zoom.js';

measureRecording();

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest<HTMLAnchorElement>('a[data-zoom]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  showZoom(link);
});

/** Elements in which the arrow keys have a meaning of their own. */
const USES_ARROWS = 'input, textarea, select, video, audio, [tabindex], [contenteditable]';

/** Where keys lead. */
const KEYS: Readonly<Record<string, 'prev' | 'next' | 'up'>> = {
  ArrowLeft: 'prev',
  ArrowRight: 'next',
  Escape: 'up',
};

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  if (document.activeElement?.matches(USES_ARROWS) || document.querySelector('dialog[open]')) return;
  const rel = KEYS[event.key];
  if (rel !== undefined) go(rel);
});

/** How far a finger goes to the side, and how little up or down, for a swipe; in pixels. */
const SWIPE = { along: 60, across: 40 };

let start: Touch | null = null;
const stage = document.querySelector<HTMLElement>('.stage');
stage?.addEventListener(
  'touchstart',
  ({ touches }) => {
    // A page that is enlarged is moved by the finger.
    const enlarged = (visualViewport?.scale ?? 1) > 1.01;
    start = touches.length === 1 && !enlarged ? (touches[0] ?? null) : null;
  },
  { passive: true },
);
stage?.addEventListener('touchend', ({ changedTouches }) => {
  const end = changedTouches[0];
  if (start === null || end === undefined || end.identifier !== start.identifier) return;
  const [along, across] = [end.clientX - start.clientX, end.clientY - start.clientY];
  start = null;
  if (Math.abs(along) > SWIPE.along && Math.abs(across) < SWIPE.across) go(along > 0 ? 'prev' : 'next');
});

/** Follows the link to what is beside the item, or back to its list; nothing at an end of the list. */
function go(rel: 'prev' | 'next' | 'up'): void {
  document.querySelector<HTMLAnchorElement>(`.around a[rel="${rel}"]`)?.click();
}

/** Shows a picture on the whole screen. Escape or the button closes it. */
function showZoom(link: HTMLAnchorElement): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'zoom';
  dialog.setAttribute('aria-label', link.getAttribute('aria-label') ?? t('Full size'));
  const image = document.createElement('img');
  image.src = link.dataset.zoom ?? link.href;
  image.alt = link.querySelector('img')?.alt ?? '';
  image.draggable = false;
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.className = 'button plain';
  close.textContent = t('Close');
  form.append(close);
  dialog.append(image, form);
  document.body.append(dialog);
  dialog.showModal();
  const zoom = new Zoom(dialog, image);
  dialog.addEventListener('close', () => {
    zoom.end();
    dialog.remove();
  });
}
