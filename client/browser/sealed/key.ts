import { open, type SealKey, unarmored } from '../../src/sealed.js';

const SECRET = /^AGE-SECRET-KEY-(?:PQ-)?1/i;

/** The key behind the # of the address; null for none. */
export function keyInAddress(): string | null {
  const text = location.hash.slice(1);
  return SECRET.test(text) ? text : null;
}

/** What was typed as a key: a secret key, else a passphrase, which may also be that of the reader's own key. */
export async function keyOf(typed: string): Promise<SealKey> {
  const text = typed.trim();
  if (SECRET.test(text)) return { identity: text };
  const identity = document.body.dataset.viewer === 'true' ? await ownIdentity(typed) : null;
  return { passphrase: typed, ...(identity === null ? {} : { identity }) };
}

/** The secret key that the account of the reader keeps, if this passphrase opens it. */
async function ownIdentity(passphrase: string): Promise<string | null> {
  const answer = await fetch('/v1/user/get/@me/seal').catch(() => null);
  if (!answer?.ok) return null;
  const { message } = (await answer.json()) as { readonly message: { readonly wrapped: string } };
  return unwrapped(message.wrapped, passphrase).catch(() => null);
}

/** The secret key in an armor that a passphrase opens. Throws `SealError`. */
export async function unwrapped(wrapped: string, passphrase: string): Promise<string> {
  const file = new Blob([unarmored(wrapped) as BlobPart]).stream();
  return (await new Response(await open(file, { passphrase })).text()).trim();
}
