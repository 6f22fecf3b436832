/** Loaded by pages with numbered lines: ranges of lines as `#L3-L9`, and wrapping that the browser remembers. */

const code = document.getElementById('code');
const WRAPPED = 'holdall-wrap';

const lineAt = (number: number): HTMLElement | null => document.getElementById(`L${number}`);

/** The range in the address; null for none. */
function rangeIn(hash: string): readonly [first: number, last: number] | null {
  const [, one, other = one] = /^#L(\d{1,6})(?:-L?(\d{1,6}))?$/.exec(hash) ?? [];
  if (one === undefined) return null;
  const [first, last] = [Number(one), Number(other)];
  return first <= last ? [first, last] : [last, first];
}

/** Marks the lines of the range in the address. */
function mark(): void {
  for (const line of document.querySelectorAll('.line.chosen')) line.classList.remove('chosen');
  const range = rangeIn(location.hash);
  if (range === null) return;
  for (let number = range[0]; number <= range[1]; number += 1) {
    const line = lineAt(number);
    if (line === null) break;
    line.classList.add('chosen');
  }
  // The browser itself finds a single line only.
  if (range[0] !== range[1]) lineAt(range[0])?.scrollIntoView({ block: 'center' });
}

code?.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-line]') : null;
  const range = rangeIn(location.hash);
  if (!link || !event.shiftKey || range === null) return;
  event.preventDefault();
  const number = Number(link.dataset.line);
  const [first, last] = [Math.min(range[0], number), Math.max(range[0], number)];
  history.replaceState(history.state, '', first === last ? `#L${first}` : `#L${first}-L${last}`);
  mark();
});
addEventListener('hashchange', mark);
mark();

/** What the browser remembers; nothing where it may not. */
function remembered(): boolean {
  try {
    return localStorage.getItem(WRAPPED) === 'true';
  } catch {
    return false;
  }
}

const wraps = document.querySelectorAll<HTMLElement>('[data-wrap]');
function setWrapped(wrapped: boolean): void {
  for (const text of document.querySelectorAll('.code')) text.classList.toggle('wrapped', wrapped);
  for (const wrap of wraps) wrap.setAttribute('aria-pressed', String(wrapped));
}
if (remembered()) setWrapped(true);
for (const wrap of wraps)
  wrap.addEventListener('click', () => {
    const wrapped = wrap.getAttribute('aria-pressed') !== 'true';
    setWrapped(wrapped);
    try {
      localStorage.setItem(WRAPPED, String(wrapped));
    } catch {
      // A browser that stores nothing forgets it with the page.
    }
  });
