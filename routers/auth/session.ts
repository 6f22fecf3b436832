import { deleteSession, insertSession } from '../../db/credential.js';
import type { Context } from '../context.js';
import { hashSecret, newSecret } from './accounts.js';

/** How long a login lasts. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60;

const USER_AGENT_LIMIT = 512;

/**
 * Opens a session and hands its cookie to the client. A session the client came with ends, so that nobody
 * can plant one.
 */
export async function startSession(ctx: Context, userId: number): Promise<void> {
  const token = newSecret();
  const previous = await ctx.caller();
  const createdAt = Date.now();
  await ctx.app.db.write(async (trx) => {
    if (previous !== null && previous.sessionId !== null) await deleteSession(trx, previous.sessionId);
    await insertSession(trx, {
      userId,
      tokenHash: hashSecret(token),
      createdAt,
      expiresAt: createdAt + SESSION_SECONDS * 1000,
      userAgent: ctx.userAgent?.slice(0, USER_AGENT_LIMIT) ?? null,
      ipAddress: ctx.address,
    });
  });
  ctx.outgoingCookies.push({ name: 'session_token', value: token, maxAgeSeconds: SESSION_SECONDS });
}

/** Ends a session and takes its cookie away. */
export async function endSession(ctx: Context, sessionId: number): Promise<void> {
  await ctx.app.db.write((trx) => deleteSession(trx, sessionId));
  ctx.outgoingCookies.push({ name: 'session_token', value: null, maxAgeSeconds: 0 });
}
