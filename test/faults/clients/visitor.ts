import { randomBytes } from 'node:crypto';
import { OWNER, type ServerProcess } from '../../support/servers/server-process.js';

/** An answer to a browser. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** A registered user who waits for the mail. */
export interface Newcomer {
  readonly email: string;
  /** The cookie `verify_token`. */
  readonly cookie: string;
}

/** Sends a request below `/v1` with a cookie, a key, or neither. */
export async function ask(
  server: ServerProcess,
  method: string,
  path: string,
  { cookie, key, json }: { cookie?: string; key?: string; json?: object } = {},
): Promise<Reply> {
  const answer = await fetch(`${server.origin}/v1${path}`, {
    method,
    headers: {
      ...(cookie === undefined ? {} : { cookie }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

/** Registers a new user who is invited by the owner. */
export async function register(server: ServerProcess): Promise<Newcomer> {
  const invite = await ask(server, 'POST', '/admin/invite/create', { key: OWNER.OWNER_API_KEY, json: {} });
  const username = `n${randomBytes(6).toString('hex')}`;
  const email = `${username}@example.org`;
  const json = { username, email, password: 'tell nobody', inviteCode: invite.body.message.code };
  return { email, cookie: cookieOf(await ask(server, 'POST', '/auth/register', { json })) };
}

/** Signs the owner in; returns the session cookie. */
export async function signIn(server: ServerProcess): Promise<string> {
  const json = { email: OWNER.OWNER_EMAIL, password: OWNER.OWNER_PASSWORD };
  return cookieOf(await ask(server, 'POST', '/auth/login', { json }));
}

/** The first cookie of an answer, in the form in which a browser sends it back. */
function cookieOf({ status, headers, body }: Reply): string {
  const cookie = headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`no cookie came with ${status}: ${JSON.stringify(body)}`);
  return cookie;
}
