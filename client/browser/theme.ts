/** The colours of the page, changed where one is: nothing typed or shown once is lost. */
import { toast } from './toast.js';

/** Makes the buttons of the footer act on the page as it stands. */
export function changeInPlace(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    show(form, button);
    void keep(form.action, button.value);
  });
}

function show(form: HTMLFormElement, pressed: HTMLButtonElement): void {
  const theme = pressed.value;
  document.documentElement.dataset.theme = theme;
  document
    .querySelector('meta[name="color-scheme"]')
    ?.setAttribute('content', theme === 'auto' ? 'light dark' : theme);
  for (const button of form.querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button === pressed));
}

/** Has the server set its cookie; where it would lead on is not followed. */
async function keep(action: string, theme: string): Promise<void> {
  try {
    const body = new URLSearchParams({ theme });
    // Who goes on to another page meanwhile takes the colours along.
    const answer = await fetch(action, { method: 'POST', body, redirect: 'manual', keepalive: true });
    if (answer.type === 'opaqueredirect') return;
  } catch {
    // Said below, as for an answer that refuses.
  }
  toast('These colours could not be kept for the next page');
}
