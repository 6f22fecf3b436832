/** Changes the theme without a reload, so that nothing on the page is lost. */
import { t } from './speech.js';
import { toast } from './toast.js';

/** Makes the theme buttons in the footer change the current page. */
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

/** Asks the server to set its cookie; its redirect is not followed. */
async function keep(action: string, theme: string): Promise<void> {
  try {
    const body = new URLSearchParams({ theme });
    // `keepalive`: the request survives when the user goes to another page.
    const answer = await fetch(action, { method: 'POST', body, redirect: 'manual', keepalive: true });
    if (answer.type === 'opaqueredirect') return;
  } catch {
    // Handled below, like a response that refuses.
  }
  toast(t('The theme could not be saved for other pages'));
}
