import { randomBytes } from 'node:crypto';
import type { Answer, TestServer } from '../../harness.js';

/** The value of a cookie that an answer sets; null if it sets none or removes it. */
export function cookieOf(answer: Answer, name: string): string | null {
  const header = answer.headers.getSetCookie().find((value) => value.startsWith(`${name}=`));
  return header === undefined ? null : header.slice(name.length + 1).split(';')[0] || null;
}

/** The header that sends cookies. */
export const cookies = (values: Record<string, string | null>): { cookie: string } => ({
  cookie: Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('; '),
});

/** A new invite code, created by the owner. */
export async function newInvite(server: TestServer, input: Record<string, unknown> = {}): Promise<string> {
  const made = await server.request('POST', '/admin/invite/create', { key: server.owner.key, json: input });
  return made.body.message.code;
}

/** Fields of a registration with unused values. */
export function newcomer(): { username: string; email: string; password: string } {
  const username = `n${randomBytes(6).toString('hex')}`;
  return { username, email: `${username}@example.com`, password: 'tell nobody else' };
}

/** Registers a new user with a new invite; returns the fields and the cookie. */
export async function registerNewcomer(server: TestServer) {
  const fields = newcomer();
  const inviteCode = await newInvite(server);
  const answer = await server.request('POST', '/auth/register', { json: { ...fields, inviteCode } });
  return { ...fields, answer, verifyToken: cookieOf(answer, 'verify_token') };
}

/** Signs in with a password. */
export const signIn = (
  server: TestServer,
  account: { email: string; password: string; code?: string | undefined },
  headers: Record<string, string> = {},
): Promise<Answer> =>
  server.request('POST', '/auth/login', {
    headers,
    json: { email: account.email, password: account.password, code: account.code },
  });

/** A session cookie of an account. */
export async function sessionOf(
  server: TestServer,
  account: { email: string; password: string },
): Promise<string> {
  const token = cookieOf(await signIn(server, account), 'session_token');
  if (token === null) throw new Error('the sign-in gave no session');
  return token;
}
