import { TOTP } from 'otpauth';
import type { TestServer } from '../../harness.js';

/** The digits that an authenticator app shows now for a secret. */
export const digitsOf = (secret: string): string => new TOTP({ secret }).generate();

/** Six digits that are wrong now. */
export const wrongDigits = (secret: string): string => {
  const near = [-1, 0, 1, 2].map((steps) =>
    new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 }),
  );
  return ['000000', '111111', '222222', '333333', '444444'].find((digits) => !near.includes(digits)) ?? '';
};

/** Makes the last code appear to have been used long ago, so that a test need not wait for the next. */
export async function forgetLastCode(server: TestServer, account: { readonly id: number }): Promise<void> {
  await server.app.services.db.write((trx) =>
    trx('second_factors').where('user_id', account.id).update({ last_step: 0 }),
  );
}

/** Enables two-factor login for an account; returns the secret of its app, and the recovery codes. */
export async function enableSecondFactor(
  server: TestServer,
  account: { readonly id: number; readonly key: string; readonly password: string },
): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  const { key, password } = account;
  const begun = await server.request('POST', '/auth/me/totp', { key, json: { password } });
  const { secret } = begun.body.message;
  const json = { code: digitsOf(secret) };
  const confirmed = await server.request('POST', '/auth/me/totp/confirm', { key, json });
  await forgetLastCode(server, account);
  return { secret, recoveryCodes: confirmed.body.message.recoveryCodes };
}
