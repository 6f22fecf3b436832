/** Codes of authenticator apps (RFC 6238: six digits, a new one every 30 seconds). */
const STEP_SECONDS = 30;
/** Tolerates a clock that is one step behind or ahead, and slow typing. */
const STEPS_AROUND = 1;
const ISSUER = 'Holdall';
/** The length of the hash: RFC 4226 §4. */
const SECRET_BYTES = 20;

/** Whether the code has the form of an authenticator code. */
export const isDigits = (code: string): boolean => /^[0-9]{6}$/.test(code);

/** A new secret, in base32 for typing it into an app. */
export async function newAuthenticatorSecret(): Promise<string> {
  const { Secret } = await import('otpauth');
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth:` URI of a secret, which apps read from a QR code. */
export async function authenticatorUri(secret: string, username: string): Promise<string> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ issuer: ISSUER, label: username, secret }).toString();
}

/** The step (counted since the epoch) to which these six digits belong; null if they match no step near this time. */
export async function stepOf(secret: string, digits: string, at: number): Promise<number | null> {
  if (!isDigits(digits)) return null;
  const { TOTP } = await import('otpauth');
  const away = new TOTP({ secret }).validate({ token: digits, timestamp: at, window: STEPS_AROUND });
  return away === null ? null : Math.floor(at / 1000 / STEP_SECONDS) + away;
}
