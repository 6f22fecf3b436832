/** Passkeys on the sign-in page and in the settings. Without a script there are none, as the standard needs one. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { find } from './find.js';
import { language, t } from './speech.js';
import { toast } from './toast.js';
import { clearWrong, showWrong } from './wrong.js';

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type NewOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

const signIn = document.querySelector<HTMLButtonElement>('[data-passkey-sign-in]');
const add = document.querySelector<HTMLFormElement>('[data-passkey-add]');

if (browserSupportsWebAuthn()) {
  for (const part of document.querySelectorAll<HTMLElement>('[data-passkey-only]')) part.hidden = false;
  for (const part of document.querySelectorAll<HTMLElement>('[data-passkey-none]')) part.hidden = true;
  if (signIn) offerSignIn(signIn);
  if (add)
    add.addEventListener('submit', (event) => {
      event.preventDefault();
      void register(add);
    });
}

/** The button, and the passkeys that the browser suggests in the field of the name. */
function offerSignIn(button: HTMLButtonElement): void {
  const next = button.dataset.next ?? '/';
  button.addEventListener('click', () => void enter(next, false));
  // Only where there is a field to suggest them in.
  if (document.querySelector('[autocomplete~="webauthn"]'))
    void browserSupportsWebAuthnAutofill().then((can) => (can ? enter(next, true) : undefined));
}

async function enter(next: string, autofill: boolean): Promise<void> {
  try {
    const options = await ask<Options>('/v1/auth/passkey/login/options', {});
    const credential = await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill });
    await ask('/v1/auth/passkey/login/verify', credential);
    location.assign(next);
  } catch (error) {
    if (!autofill || error instanceof Refused) tell(error);
  }
}

async function register(form: HTMLFormElement): Promise<void> {
  const fields = new FormData(form);
  const password = String(fields.get('password') ?? '');
  const name = String(fields.get('name') ?? '').trim();
  const field = find<HTMLInputElement>(form, '[name="password"]');
  clearWrong(field);
  try {
    const options = await ask<NewOptions>(
      '/v1/auth/passkey/register/options',
      password ? { password } : {},
    ).catch((error: unknown) => {
      // The sign-in is too old, or the password is wrong.
      if (!(error instanceof Refused && error.status === 403)) throw error;
      find(form, '[data-passkey-password]').hidden = false;
      showWrong(field, error.message);
      return null;
    });
    if (options === null) return;
    const credential = await startRegistration({ optionsJSON: options });
    await ask('/v1/auth/passkey/register/verify', { credential, ...(name ? { name } : {}) });
    location.assign('/web/settings/security/passkeys?done=passkey');
  } catch (error) {
    tell(error);
  }
}

/** What the server says no to. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function ask<T>(path: string, body: unknown): Promise<T> {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-language': language,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json().catch(() => null)) as { message?: unknown } | null;
  if (!response.ok)
    throw new Refused(
      response.status,
      typeof answer?.message === 'string' ? answer.message : t('The server did not answer'),
    );
  return answer?.message as T;
}

function tell(error: unknown): void {
  // Closing the browser's own window is no failure.
  if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return;
  toast(error instanceof Refused ? error.message : whyOf(error));
}

/** What the browser says no to: its own words are for programmers, and English. */
function whyOf(error: unknown): string {
  switch (error instanceof Error ? error.name : '') {
    case 'InvalidStateError':
      return t('This device already has a passkey of your account');
    case 'ConstraintError':
    case 'NotSupportedError':
      return t('This device cannot keep such a passkey');
    case 'SecurityError':
      return t('Browsers allow no passkeys at this address');
    case 'TypeError':
      return t('The server did not answer');
    default:
      return t('This did not work');
  }
}
