import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { lockUser, type User } from '../../../db/account/account.js';
import {
  countUseOfPasskey,
  type Passkey,
  passkeyByCredential,
  passkeysOf,
  takeChallenge,
} from '../../../db/account/passkey.js';
import { DomainError, fail } from '../../base/errors.js';
import { audit } from '../../core/audit.js';
import type { Context } from '../../core/context.js';
import { hashSecret } from '../../core/secrets.js';
import { enter, pendingUser, requireOffered, setPendingCookie } from '../auth/public.js';
import { expiryOf, newChallenge, type Purpose } from './challenge.js';
import { library, MAX_PASSKEYS, rpIdOf } from './register.js';

/** The account that lacks only the second step of its sign-in; null for a sign-in without a name. */
async function pendingOrNull(ctx: Context): Promise<User | null> {
  if (ctx.cookie('sign_in') === null) return null;
  try {
    return await pendingUser(ctx);
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'SIGN_IN_OVER') return null;
    throw error;
  }
}

const purposeOf = (pending: User | null): Purpose =>
  pending === null ? { what: 'login', userId: null } : { what: 'second', userId: pending.id };

/**
 * The options for signing in with a passkey: with any one that the browser has, which must verify its user; or as the
 * second step after a password, with one of that account.
 */
export async function signInOptions(ctx: Context) {
  const { app } = ctx;
  requireOffered(app, 'passkey');
  const pending = await pendingOrNull(ctx);
  const { generateAuthenticationOptions } = await library();
  const own =
    pending === null ? [] : await passkeysOf(app.db.read, pending.id, { offset: 0, limit: MAX_PASSKEYS });
  return generateAuthenticationOptions({
    rpID: rpIdOf(app),
    challenge: newChallenge(app, purposeOf(pending)),
    userVerification: pending === null ? 'required' : 'preferred',
    allowCredentials: own.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  });
}

/** Signs in with the passkey that answers the options. */
export async function signInWithPasskey(ctx: Context, credential: AuthenticationResponseJSON): Promise<User> {
  const { app } = ctx;
  requireOffered(app, 'passkey');
  const counted = ['loginAddress', ctx.network()] as const;
  await app.limits.rates.take(...counted);
  const passkey = await passkeyByCredential(app.db.read, credential.id);
  if (passkey === null) {
    await app.db.write((trx) => audit(ctx, trx, 'login.failed', { subject: null }));
    return fail('PASSKEY_UNKNOWN');
  }
  const user = await takeAnswer(ctx, passkey, credential);
  await app.limits.rates.refund(...counted);
  await enter(ctx, user, null, { complete: true });
  setPendingCookie(ctx, null);
  return user;
}

/** Checks an answer and uses it up: its challenge, signature, origin and count. Returns the account. */
async function takeAnswer(
  ctx: Context,
  passkey: Passkey,
  credential: AuthenticationResponseJSON,
): Promise<User> {
  const { app } = ctx;
  const pending = await pendingOrNull(ctx);
  if (pending !== null && pending.id !== passkey.userId) fail('PASSKEY_UNKNOWN');
  let challenge = '';
  let expiresAt = null as number | null;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential,
      expectedChallenge: (shown) => {
        challenge = shown;
        expiresAt = expiryOf(app, purposeOf(pending), shown);
        return expiresAt !== null;
      },
      expectedOrigin: app.settings.origin,
      expectedRPID: rpIdOf(app),
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: pending === null,
    });
    if (!verified || expiresAt === null) fail('PASSKEY_REFUSED');
    const until: number = expiresAt;
    return await app.db.write(async (trx) => {
      const user = await lockUser(app.db, trx, passkey.userId);
      if (!(await takeChallenge(trx, hashSecret(challenge), until, Date.now()))) fail('PASSKEY_CHALLENGE');
      const counted = await countUseOfPasskey(trx, passkey.id, {
        counter: authenticationInfo.newCounter,
        at: Date.now(),
        address: ctx.address,
        backedUp: authenticationInfo.credentialBackedUp,
      });
      if (user === null || !counted) return fail('PASSKEY_REFUSED');
      return user;
    });
  } catch (error) {
    await app.db.write((trx) => audit(ctx, trx, 'login.failed', { subject: passkey.userId }));
    if (error instanceof DomainError) throw error;
    app.log.info({ err: error }, 'a passkey was refused');
    return fail(expiresAt === null ? 'PASSKEY_CHALLENGE' : 'PASSKEY_REFUSED', { cause: error });
  }
}
