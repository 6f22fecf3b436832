import { z } from 'zod';
import { lockUser, type User } from '../../../db/account/account.js';
import type { Identity } from '../../../db/account/credential.js';
import {
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  insertSession,
  type Session,
  sessionOrigin,
  sessionsOf,
  touchSession,
  trimSessions,
} from '../../../db/account/session.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import { isShutOut } from '../../base/roles.js';
import { iso } from '../../base/text/dates.js';
import { forgetFlows } from '../../core/accounts/flow-holder.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { isRowId } from '../../core/items/ids.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { hashSecret, newSecret } from '../../core/secrets.js';

/** Lifetime of a session. */
const SESSION_SECONDS = 7 * 24 * 60 * 60;
/** Maximum sessions per account; the oldest end first. */
const MAX_SESSIONS = 100;
const MAX_USER_AGENT_LENGTH = 512;

/** The provider at which a session was started, if it was. */
export interface SessionOrigin {
  readonly provider?: string;
  readonly idToken?: string | null;
}

/** A session in the API (contract §3). */
export const sessionRecord = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isValid: z.boolean(),
  userAgent: z.string().nullable(),
  ipAddress: z.string().nullable(),
  isCurrent: z.boolean(),
});

/**
 * Starts a session for an account that has just authenticated. Ends the session that the client came with,
 * against session fixation. Refuses if the password was changed or the account banned since.
 */
export async function startSession(ctx: Context, proven: User, origin: SessionOrigin = {}): Promise<void> {
  const { db } = ctx.app;
  const previous = await ctx.caller();
  const token = await db.write(async (trx) => {
    const user = await lockUser(db, trx, proven.id);
    if (user === null || user.passwordHash !== proven.passwordHash || isShutOut(user.role))
      fail('LOGIN_FAILED');
    if (previous !== null && previous.sessionId !== null) await deleteSession(trx, previous.sessionId);
    await audit(ctx, trx, 'login.succeeded', { actor: user.id, subject: user.id });
    return openSession(ctx, trx, user.id, origin);
  });
  setSessionCookie(ctx, token);
  forgetFlows(ctx);
}

/** Creates a session and returns its token; send it with `setSessionCookie` after the commit. */
export async function openSession(
  ctx: Context,
  trx: Queryable,
  userId: number,
  { provider, idToken }: SessionOrigin = {},
): Promise<string> {
  const token = newSecret();
  const createdAt = Date.now();
  await insertSession(trx, {
    userId,
    tokenHash: hashSecret(token),
    createdAt,
    expiresAt: createdAt + SESSION_SECONDS * 1000,
    userAgent: ctx.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    ipAddress: ctx.address,
    ...(provider === undefined ? {} : { provider }),
    idTokenCipher: idToken ? ctx.app.secrets.encrypt(idToken) : null,
  });
  await trimSessions(trx, userId, MAX_SESSIONS);
  return token;
}

/** Sets the cookie `session_token`; null clears it. */
export function setSessionCookie(ctx: Context, token: string | null): void {
  ctx.outgoingCookies.push({
    name: 'session_token',
    value: token,
    maxAgeSeconds: token === null ? 0 : SESSION_SECONDS,
  });
}

/**
 * The session of the first token that has one. Others may come from cookies of the same name that something else on the
 * domain set, such as the service that was here before, or this one for another domain; they must not lock anybody out.
 */
export async function sessionBy(app: Services, tokens: readonly string[]): Promise<Identity | null> {
  for (const token of tokens) {
    const session = await app.load.identityBySession(hashSecret(token));
    if (session !== null) return session;
  }
  return null;
}

/** Minimum interval between two records of a session's use. */
const NOTE_EVERY_MS = 10 * 60 * 1000;

/**
 * Records that a session is in use, for the session list of its owner. A failure to record it is only logged,
 * so that reading still works while the disk is full.
 */
export async function noteUse(app: Services, session: Identity): Promise<void> {
  const { sessionId, lastUsedAt } = session;
  const at = Date.now();
  if (sessionId === null || lastUsedAt === null || at - lastUsedAt < NOTE_EVERY_MS) return;
  try {
    await app.db.write((trx) => touchSession(trx, sessionId, at));
  } catch (error) {
    app.log.warn({ err: error }, 'the use of a session could not be recorded');
  }
}

/** Longer tokens do not fit into a cookie; the provider then asks who signs out. */
const MAX_LOGOUT_COOKIE = 3_500;

/**
 * Ends the session of the cookie, whatever other credential was sent, and clears the cookie. Returns where to sign out
 * at the provider that started it, too; null for other sessions.
 */
export async function signOut(ctx: Context): Promise<string | null> {
  const { app, credentials } = ctx;
  const session = await sessionBy(app, credentials.sessionTokens);
  if (session === null || session.sessionId === null) return fail('UNAUTHENTICATED');
  const { sessionId, userId } = session;
  const origin = await app.db.write(async (trx) => {
    const started = await sessionOrigin(trx, sessionId);
    await deleteSession(trx, sessionId);
    await audit(ctx, trx, 'logout', { actor: userId, subject: userId });
    return started;
  });
  setSessionCookie(ctx, null);
  forgetFlows(ctx);
  if (origin === null || !app.oidc.some(({ name }) => name === origin.provider)) return null;
  if (origin.idTokenCipher !== null && origin.idTokenCipher.length <= MAX_LOGOUT_COOKIE)
    ctx.outgoingCookies.push({ name: 'oidc_logout', value: origin.idTokenCipher, maxAgeSeconds: 10 * 60 });
  return `${app.settings.baseUrl}/auth/oidc/${origin.provider}/logout`;
}

/** The sessions of the caller. */
export async function listSessions(ctx: AccountContext): Promise<z.output<typeof sessionRecord>[]> {
  const found = await sessionsOf(ctx.app.db.read, ctx.account.id);
  return found.map((session) => toRecord(session, ctx.account.sessionId));
}

const toRecord = (session: Session, current: number | null): z.output<typeof sessionRecord> => ({
  id: String(session.id),
  createdAt: iso(session.createdAt),
  lastUsedAt: iso(session.lastUsedAt),
  expiresAt: iso(session.expiresAt),
  isValid: session.expiresAt > Date.now(),
  userAgent: session.userAgent,
  ipAddress: session.ipAddress,
  isCurrent: session.id === current,
});

/** Ends one session of the caller; 404 if it is not theirs. */
export async function revokeSession(ctx: AccountContext, sessionId: number): Promise<void> {
  const { app, account } = ctx;
  if (!isRowId(sessionId)) fail('NOT_FOUND');
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    if (!(await deleteSessionOf(trx, user.id, sessionId))) fail('NOT_FOUND');
    await audit(ctx, trx, 'session.revoked', { subject: user.id });
    // Ending the session that asks is signing out.
    if (sessionId !== account.sessionId) await notifyHolder(app, trx, user, { what: 'sessionsEnded' });
  });
  app.jobs.kick();
  if (sessionId === ctx.account.sessionId) setSessionCookie(ctx, null);
}

/** Ends every session of the caller except for the one that asks; returns how many. */
export async function revokeSessions(ctx: AccountContext): Promise<number> {
  const { app, account } = ctx;
  const ended = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    const sessions = await deleteSessionsOf(trx, user.id, account.sessionId);
    await audit(ctx, trx, 'session.revoked', { subject: user.id, info: { sessions } });
    if (sessions > 0) await notifyHolder(app, trx, user, { what: 'sessionsEnded' });
    return sessions;
  });
  app.jobs.kick();
  return ended;
}
