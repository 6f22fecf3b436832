/** Codes of authenticator apps (RFC 6238: six digits, a new one every 30 seconds). */
const STEP_SECONDS = 30;
/** A clock may be one step behind or ahead, and people type slowly. */
const STEPS_AROUND = 1;
const ISSUER = 'Holdall';
/** As long as the hash: RFC 4226 §4. */
const SECRET_BYTES = 20;

/** True for what an app may show, whatever its secret. */
export const isDigits = (code: string): boolean => /^[0-9]{6}$/.test(code);

/** A new secret, in base32 as people type it into an app. */
export async function newAuthenticatorSecret(): Promise<string> {
  const { Secret } = await import('otpauth');
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth:` address of a secret, which apps read from a QR code. */
export async function authenticatorUri(secret: string, username: string): Promise<string> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ issuer: ISSUER, label: username, secret }).toString();
}

/** The step, counted since the epoch, whose code these six digits are at this time; null when they are of none near it. */
export async function stepOf(secret: string, digits: string, at: number): Promise<number | null> {
  if (!isDigits(digits)) return null;
  const { TOTP } = await import('otpauth');
  const away = new TOTP({ secret }).validate({ token: digits, timestamp: at, window: STEPS_AROUND });
  return away === null ? null : Math.floor(at / 1000 / STEP_SECONDS) + away;
}
