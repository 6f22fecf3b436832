/**
 * Loaded by the pages of what is sealed: opens it with the key behind the # of the address, or with one that is typed.
 * The key stays in the address, and goes with the links to what it opens as well.
 */
import { openName, recipientOf, type SealKey } from '../src/sealed.js';
import { find } from './find.js';
import { keyInAddress, keyOf } from './sealed/key.js';
import { Stage } from './sealed/stage.js';
import { wordsOf } from './sealed/words.js';

const place = document.querySelector<HTMLElement>('[data-sealed]');
const stage = place === null ? null : new Stage(place);
const ask = find<HTMLFormElement>(document.body, 'form[data-ask]');

ask.addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = find<HTMLInputElement>(ask, 'input').value;
  void keyOf(typed).then(use);
});
addEventListener('hashchange', start);
start();

function start(): void {
  const identity = keyInAddress();
  ask.hidden = identity !== null;
  if (identity !== null) void use({ identity });
}

async function use(key: SealKey): Promise<void> {
  const fits = (await stage?.open(key)) ?? (await openNames(key));
  ask.hidden = fits;
  if (fits) await carry(key);
}

/** Shows the names of a collection and of the files in it; whether the key fits. */
async function openNames(key: SealKey): Promise<boolean> {
  const problem = find(document.body, '[data-problem]');
  problem.hidden = true;
  try {
    for (const entry of document.querySelectorAll<HTMLElement>('[data-named]')) {
      const said = await openName(entry.dataset.named || null, key);
      const name = said?.title ?? said?.name;
      if (name !== undefined) entry.textContent = name;
    }
    return true;
  } catch (error) {
    find(problem, 'span').textContent = wordsOf(error);
    problem.hidden = false;
    return false;
  }
}

/** Offers what can be done with the key: the link with it, and its public part. Links to what it opens take it along. */
async function carry({ identity, passphrase }: SealKey): Promise<void> {
  const opened = document.querySelector<HTMLElement>('[data-opened]');
  if (opened !== null) opened.hidden = false;
  if (identity === undefined || passphrase !== undefined) return;
  const copy = document.querySelector<HTMLElement>('[data-with-key]');
  if (copy !== null) {
    copy.hidden = false;
    copy.dataset.copy = `${copy.dataset.link}#${identity}`;
  }
  const links =
    place?.dataset.carries === undefined
      ? document.querySelectorAll<HTMLAnchorElement>('a[data-named]')
      : document.querySelectorAll<HTMLAnchorElement>('.around a');
  for (const link of links) link.hash = identity;
  const shown = document.querySelector('#public');
  if (shown === null) return;
  const recipient = await recipientOf(identity);
  shown.textContent = recipient;
  const adds = document.querySelector<HTMLAnchorElement>('a[data-seals]');
  if (adds !== null) adds.hash = recipient;
}
