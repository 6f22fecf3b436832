/**
 * Loaded by the page of the own key and by that of collections: makes the key of an account and shows its recovery text,
 * and makes sealed collections. Secrets stay in this browser: their fields have no name.
 */
import { newKey } from '../src/sealed.js';
import { find } from './find.js';
import { unwrapped } from './sealed/key.js';
import { sealText } from './sealed/sealing.js';
import { wordsOf } from './sealed/words.js';
import { language } from './speech.js';

on('make', async (form) => {
  const { identity, recipient } = await newKey();
  const { text: wrapped } = await sealText(`${identity}\n`, {}, { passphrase: passphraseIn(form) });
  await send('PUT', '/v1/user/get/@me/seal', { recipient, wrapped });
  form.hidden = true;
  showSecret(identity);
});

on('recover', async (form) => {
  const { wrapped = '' } = form.dataset;
  showSecret(await unwrapped(wrapped, passphraseIn(form)));
});

on(
  'collection',
  async (form) => {
    const fields = new FormData(form);
    const said = { title: String(fields.get('title')), description: String(fields.get('description') ?? '') };
    const { identity, recipient } = await newKey();
    const { sealedName } = await sealText('', said, { to: [recipient] });
    const made = { sealed: true, sealedName, isPublic: !fields.has('private') };
    const { uniqueId } = await send('POST', '/v1/collection', made);
    location.assign(`/web/collection/${uniqueId}#${identity}`);
  },
  (form) => find<HTMLInputElement>(form, '#seal').checked,
);

for (const button of document.querySelectorAll('[data-print]'))
  button.addEventListener('click', () => print());

function on(
  what: string,
  run: (form: HTMLFormElement) => Promise<void>,
  isMeant = (_form: HTMLFormElement): boolean => true,
): void {
  const form = document.querySelector<HTMLFormElement>(`form[data-seal-form="${what}"]`);
  form?.addEventListener('submit', (event) => {
    if (!isMeant(form)) return;
    event.preventDefault();
    const problem = find(form, '[data-problem]');
    problem.hidden = true;
    run(form).catch((error: unknown) => {
      find(problem, 'span').textContent = wordsOf(error);
      problem.hidden = false;
    });
  });
}

const passphraseIn = (form: HTMLElement): string =>
  find<HTMLInputElement>(form, 'input[type="password"]').value;

function showSecret(identity: string): void {
  find(document.body, '#secret').textContent = identity;
  find(document.body, '[data-recovery]').hidden = false;
}

/** Sends JSON; throws what the server says. */
async function send(method: string, path: string, json: object): Promise<{ readonly uniqueId?: string }> {
  const headers = { 'Content-Type': 'application/json', 'Accept-Language': language };
  const answer = await fetch(path, { method, headers, body: JSON.stringify(json) });
  const { message } = (await answer.json()) as { readonly message: string | { readonly uniqueId?: string } };
  if (typeof message === 'string') throw new Error(message);
  return message;
}
