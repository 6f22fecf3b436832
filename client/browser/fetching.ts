/** Shows that the server fetches a file, from the moment in which the form is sent; on its own page, how far it is. */
const bar = document.querySelector<HTMLProgressElement>('[data-fetching]');
const form = bar?.closest('form');

function show(isFetching: boolean): void {
  if (!bar || !form) return;
  bar.hidden = !isFetching;
  for (const button of form.querySelectorAll('button')) button.disabled = isFetching;
}

form?.addEventListener('submit', () => show(true));
// The browser may show this page as it was left: after a step back, nothing is fetched any more.
addEventListener('pageshow', () => show(false));

const LOOK_MS = 1_000;
const transfer = document.querySelector<HTMLElement>('[data-transfer]');
if (transfer) void follow(transfer);

/** What the page of a transfer answers to its script; the text is in the reader's language. */
interface Progress {
  readonly text: string;
  /** Between 0 and 1; null if nobody knows. */
  readonly part: number | null;
}

/** Asks again and again, and shows the page itself once the transfer is over. */
async function follow(shown: HTMLElement): Promise<void> {
  const words = shown.querySelector('p');
  const progress = shown.querySelector('progress');
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const answer = await fetch(location.href, { headers: { accept: 'application/json' } }).catch(() => null);
    // While the connection is lost, or the server is starting, the transfer may still go on.
    if (answer === null || answer.status === 429 || answer.status >= 500) continue;
    if (answer.status !== 202) return location.reload();
    const { text, part } = (await answer.json()) as Progress;
    if (words) words.textContent = text;
    if (part === null) progress?.removeAttribute('value');
    else if (progress) progress.value = part;
  }
}
