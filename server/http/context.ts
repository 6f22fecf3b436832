import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Identity } from '../../db/credential.js';
import { headerOf } from '../../rest-adapter/wire.js';
import { hashApiKey, hashSecret } from '../../routers/auth/secrets.js';
import { noteUse } from '../../routers/auth/session.js';
import type { Caller, Context, Credentials, Services } from '../../routers/context.js';
import { countedAddress } from './network.js';

/** Makes the context of one request. Nothing is looked up before somebody asks. */
export type ContextFactory = (req: IncomingMessage, res?: ServerResponse) => Context;

/**
 * How long somebody who was seen counts as seen, in milliseconds. A file may come for hours: a key that was replaced, a
 * session that was ended and an account that was banned meanwhile store nothing any more.
 */
export const SEEN_MS = 1_000;

/** `trustProxy`: the address comes from `X-Forwarded-For`, as a proxy in front of this process set it. */
export function createContextFactory(
  app: Services,
  options: { readonly trustProxy: boolean },
): ContextFactory {
  return (req, res) => {
    const cookies = parseCookies(req.headers.cookie);
    const credentials: Credentials = {
      // Front ends without a key send the header empty.
      apiKey: headerOf(req, 'x-api-key') || null,
      sessionToken: cookies.get('session_token') ?? null,
      formKey: null,
    };
    let seen: {
      readonly at: number;
      readonly formKey: string | null;
      readonly caller: Promise<Caller | null>;
    } | null = null;
    const address = clientAddress(req, options.trustProxy);
    return {
      app,
      address,
      get network() {
        return countedAddress(address);
      },
      userAgent: req.headers['user-agent'] ?? null,
      credentials,
      cookie: (name) => cookies.get(name) ?? null,
      caller: () => {
        const { formKey } = credentials;
        const at = performance.now();
        // A form field with the key may arrive after the first look.
        if (seen === null || seen.formKey !== formKey || at - seen.at > SEEN_MS)
          seen = { at, formKey, caller: identify(app, credentials) };
        return seen.caller;
      },
      outgoingCookies: [],
      whenOver: (done) => {
        if (res === undefined || res.destroyed) return done();
        // As many as there are calls in a batch.
        res.setMaxListeners(res.getMaxListeners() + 1);
        res.once('close', done);
      },
    };
  };
}

/** K of the contract: the header; when it is absent the session cookie; else the form field. */
async function identify(app: Services, shown: Credentials): Promise<Caller | null> {
  if (shown.apiKey !== null) return toCaller(await app.load.identityByKey(hashApiKey(shown.apiKey)));
  if (shown.sessionToken !== null) {
    const session = await app.load.identityBySession(hashSecret(shown.sessionToken));
    // Nobody waits for it: a database that takes no writes may go on for reading.
    if (session !== null) void noteUse(app, session);
    if (session !== null || shown.formKey === null) return toCaller(session);
  }
  return shown.formKey === null ? null : toCaller(await app.load.identityByKey(hashApiKey(shown.formKey)));
}

const toCaller = (identity: Identity | null): Caller | null =>
  identity === null
    ? null
    : {
        id: identity.userId,
        username: identity.username,
        role: identity.role,
        active: identity.status === 'ACTIVE',
        hasWebhook: identity.hasWebhook,
        sessionId: identity.sessionId,
      };

const NO_COOKIES: ReadonlyMap<string, string> = new Map();

function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  if (header === undefined) return NO_COOKIES;
  const cookies = new Map<string, string>();
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    // The first of several cookies with one name is the one with the most specific path.
    if (at > 0 && !cookies.has(name)) cookies.set(name, decode(part.slice(at + 1).trim()));
  }
  return cookies;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** The address of the client; the last one that the trusted proxy appended, never what the client made up. */
function clientAddress(req: IncomingMessage, trustProxy: boolean): string {
  const direct = req.socket.remoteAddress ?? '';
  const forwarded = trustProxy ? headerOf(req, 'x-forwarded-for') : null;
  const last = forwarded?.split(',').at(-1)?.trim() ?? '';
  const address = isIP(last) === 0 ? direct : last;
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
