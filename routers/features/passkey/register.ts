import { createHash } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { countPasskeys, insertPasskey, passkeysOf, takeChallenge } from '../../../db/account/passkey.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Services } from '../../core/context.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { requireMainCredential } from '../../core/scopes.js';
import { hashSecret } from '../../core/secrets.js';
import { requireOffered, requireProof } from '../auth/public.js';
import { expiryOf, newChallenge } from './challenge.js';
import { type PasskeyRecord, toRecord } from './record.js';

/** Maximum passkeys of an account. */
export const MAX_PASSKEYS = 20;

/** The library is large, and most processes never need it. */
export const library = () => import('@simplewebauthn/server');

/** What passkeys are bound to: the host of BASE_URL. */
export const rpIdOf = ({ settings }: Services): string => new URL(settings.origin).hostname;

/** What authenticators know an account by; says nothing about it. */
const handleOf = (app: Services, userId: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    createHash('sha256')
      .update(app.secrets.sign(`passkey-holder:${userId}`))
      .digest(),
  );

/** The options for a new passkey of the caller, who proves to be there. */
export async function registerOptions(ctx: AccountContext, password: string | null | undefined) {
  const { app } = ctx;
  requireOffered(app, 'passkey');
  const user = await requireProof(ctx, password);
  const { generateRegistrationOptions } = await library();
  const known = await passkeysOf(app.db.read, user.id, { offset: 0, limit: MAX_PASSKEYS });
  return generateRegistrationOptions({
    rpName: new URL(app.settings.origin).host,
    rpID: rpIdOf(app),
    userName: user.email,
    userDisplayName: user.username,
    userID: handleOf(app, user.id),
    challenge: newChallenge(app, { what: 'register', userId: user.id }),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
}

/** Stores the passkey that answers the options, and mails its holder. */
export async function registerPasskey(
  ctx: AccountContext,
  credential: RegistrationResponseJSON,
  name: string | null,
): Promise<PasskeyRecord> {
  const { app, account } = ctx;
  requireOffered(app, 'passkey');
  requireMainCredential(account);
  let challenge = '';
  let expiresAt = null as number | null;
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response: credential,
    expectedChallenge: (shown) => {
      challenge = shown;
      expiresAt = expiryOf(app, { what: 'register', userId: account.id }, shown);
      return expiresAt !== null;
    },
    expectedOrigin: app.settings.origin,
    expectedRPID: rpIdOf(app),
    requireUserVerification: false,
  }).catch((error: unknown) =>
    fail(expiresAt === null ? 'PASSKEY_CHALLENGE' : 'PASSKEY_REFUSED', { cause: error }),
  );
  if (!verified.verified || expiresAt === null) fail('PASSKEY_REFUSED');
  const until: number = expiresAt;
  const { credential: made, credentialBackedUp } = verified.registrationInfo;
  try {
    const passkey = await app.db.write(async (trx) => {
      const user = await lockAccount(app, trx, account.id);
      if (!(await takeChallenge(trx, hashSecret(challenge), until, Date.now()))) fail('PASSKEY_CHALLENGE');
      if ((await countPasskeys(trx, user.id)) >= MAX_PASSKEYS)
        fail(
          'INVALID',
          localizable('An account may have {max} passkeys; remove one first', { max: MAX_PASSKEYS }),
        );
      const stored = await insertPasskey(trx, {
        userId: user.id,
        credentialId: made.id,
        publicKey: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
        transports: made.transports ?? [],
        backedUp: credentialBackedUp,
        name: name ?? 'Passkey',
        createdAt: Date.now(),
      });
      await audit(ctx, trx, 'passkey.added', { subject: user.id, info: { passkey: stored.id } });
      await notifyHolder(app, trx, user, { what: 'passkeyAdded', name: stored.name });
      return stored;
    });
    app.jobs.kick();
    return toRecord(passkey);
  } catch (error) {
    if (app.db.dialect.isUniqueViolation(error))
      fail('INVALID', { message: 'This passkey is registered already', cause: error });
    throw error;
  }
}
