/** Solves the challenge of a form when it is sent, in slices, so that the page stays usable meanwhile. */
import { firstWordOfSha256 } from '../src/sha256.js';

/** How long a slice lasts; shorter than anyone notices. */
const SLICE_MS = 30;
const SLICE_HASHES = 500;

const form = document.querySelector<HTMLFormElement>('form[data-challenge]');
form?.addEventListener('submit', (event) => {
  const token = form.elements.namedItem('token');
  if (!(token instanceof HTMLInputElement) || token.value !== '') return;
  event.preventDefault();
  if (form.dataset.solving === 'true') return;
  form.dataset.solving = 'true';
  const { challenge = '', bits = '0' } = form.dataset;
  const button = event.submitter;
  button?.setAttribute('aria-disabled', 'true');
  void solve(challenge, Number(bits)).then((solved) => {
    token.value = solved;
    form.requestSubmit();
  });
});

/** A back button shows the page with a challenge that is used up; a reload gets a new one. */
addEventListener('pageshow', (event) => {
  if (event.persisted && form) location.reload();
});

async function solve(challenge: string, bits: number): Promise<string> {
  const limit = 2 ** (32 - bits);
  for (let nonce = 0; ; ) {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      for (const last = nonce + SLICE_HASHES; nonce < last; nonce += 1) {
        const token = `${challenge}.${nonce}`;
        if (firstWordOfSha256(token) < limit) return token;
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}
