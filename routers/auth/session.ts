import { z } from 'zod';
import { lockUser, type User } from '../../db/account/account.js';
import {
  deleteSession,
  deleteSessionOf,
  type Identity,
  insertSession,
  type Session,
  sessionsOf,
  touchSession,
  trimSessions,
} from '../../db/account/credential.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { audit } from '../audit.js';
import type { Context, Services } from '../context.js';
import { fail } from '../errors.js';
import { isShutOut } from '../roles.js';
import { isRowId } from '../shared/ids.js';
import { iso } from '../text/dates.js';
import type { AccountContext } from '../trpc.js';
import { hashSecret, newSecret } from './secrets.js';

/** Lifetime of a session. */
const SESSION_SECONDS = 7 * 24 * 60 * 60;
/** Maximum sessions per account; the oldest end first. */
const MAX_SESSIONS = 100;
const MAX_USER_AGENT_LENGTH = 512;

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
export async function startSession(ctx: Context, proven: User): Promise<void> {
  const { db } = ctx.app;
  const previous = await ctx.caller();
  const token = await db.write(async (trx) => {
    const user = await lockUser(db, trx, proven.id);
    if (user === null || user.passwordHash !== proven.passwordHash || isShutOut(user.role))
      fail('LOGIN_FAILED');
    if (previous !== null && previous.sessionId !== null) await deleteSession(trx, previous.sessionId);
    await audit(ctx, trx, 'login.succeeded', { actor: user.id, subject: user.id });
    return openSession(ctx, trx, user.id);
  });
  setSessionCookie(ctx, token);
}

/** Creates a session and returns its token; send it with `setSessionCookie` after the commit. */
export async function openSession(ctx: Context, trx: Queryable, userId: number): Promise<string> {
  const token = newSecret();
  const createdAt = Date.now();
  await insertSession(trx, {
    userId,
    tokenHash: hashSecret(token),
    createdAt,
    expiresAt: createdAt + SESSION_SECONDS * 1000,
    userAgent: ctx.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    ipAddress: ctx.address,
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

/** Ends the session of the cookie, whatever other credential was sent, and clears the cookie. */
export async function signOut(ctx: Context): Promise<void> {
  const { app, credentials } = ctx;
  const token = credentials.sessionToken;
  const session = token === null ? null : await app.load.identityBySession(hashSecret(token));
  if (session === null || session.sessionId === null) return fail('UNAUTHENTICATED');
  const { sessionId, userId } = session;
  await app.db.write(async (trx) => {
    await deleteSession(trx, sessionId);
    await audit(ctx, trx, 'logout', { actor: userId, subject: userId });
  });
  setSessionCookie(ctx, null);
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
  const { id } = ctx.account;
  if (!isRowId(sessionId)) fail('NOT_FOUND');
  await ctx.app.db.write(async (trx) => {
    if (!(await deleteSessionOf(trx, id, sessionId))) fail('NOT_FOUND');
    await audit(ctx, trx, 'session.revoked', { subject: id });
  });
  if (sessionId === ctx.account.sessionId) setSessionCookie(ctx, null);
}
