import type { IncomingMessage } from 'node:http';
import type { Identity } from '../../../db/account/credential.js';
import { headerOf, isPrefetch } from '../../../rest-adapter/wire.js';
import { languageNamed } from '../../../routers/base/language/languages.js';
import { addressIn, countedAddress } from '../../../routers/base/network.js';
import { isAdmin } from '../../../routers/base/roles.js';
import type { Caller, Credentials } from '../../../routers/core/caller.js';
import type { Context, Services } from '../../../routers/core/context.js';
import { hashApiKey } from '../../../routers/core/secrets.js';
import { noteUse, sessionBy } from '../../../routers/features/auth/session.js';
import { cookiesNamed, parseCookies } from './cookies.js';
import { answerOn } from './node-internals.js';

/** A key in base64 with the longest user name that a client sends. */
const MAX_LENGTH = 4_096;

/**
 * The keys that an `Authorization` header may hold: the token of `Bearer`; of `Basic` the password, whatever the user name
 * is, or the user name if the password is empty. Whether it is a key of ours is not known here: proxies in front
 * send credentials of their own. Empty for other schemes.
 */
function keysIn(authorization: string | undefined): readonly string[] {
  if (authorization === undefined || authorization.length > MAX_LENGTH) return [];
  const [, scheme = '', shown = ''] = /^\s*(bearer|basic)\s+(\S+)\s*$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return [shown];
  if (scheme === '') return [];
  const pair = Buffer.from(shown, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const [user, password] = colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)];
  return [password || user].filter((key) => key !== '');
}

/** Creates the context of a request. Nothing is looked up until it is needed. */
export type ContextFactory = (req: IncomingMessage) => Context;

/**
 * How long a verified caller stays valid, in milliseconds. An upload may take hours: if the key was replaced, the
 * session ended or the account banned in the meantime, nothing is stored any more.
 */
export const SEEN_MS = 1_000;

/** `trustProxy`: takes the address from `X-Forwarded-For`, as set by a proxy in front of this process. */
export function createContextFactory(
  app: Services,
  options: { readonly trustProxy: boolean },
): ContextFactory {
  const ownPages = `${app.settings.origin}/`;
  return (req) => {
    const cookies = parseCookies(req.headers.cookie);
    const credentials: Credentials = {
      // Clients without a key send an empty header.
      apiKey: headerOf(req, 'x-api-key') || null,
      authorized: keysIn(req.headers.authorization),
      sessionTokens: cookiesNamed(req.headers.cookie, 'session_token'),
      formKey: null,
      mailbox: null,
    };
    let seen: {
      readonly at: number;
      readonly formKey: string | null;
      readonly caller: Promise<Caller | null>;
    } | null = null;
    const { socket } = req;
    const address = clientAddress(req, options.trustProxy);
    const acceptLanguage = req.headers['accept-language'] ?? null;
    const referrer = req.headers.referer ?? null;
    const isOurs =
      req.headers['sec-fetch-site'] === 'same-origin' || (referrer?.startsWith(ownPages) ?? false);
    const asksForVisitor = app.settings.frontendUrl !== null && isPortalServer(req);
    return {
      app,
      address,
      // A function, because defining a getter on every context made each request of the hot path a quarter slower.
      network: () => countedAddress(address),
      userAgent: req.headers['user-agent'] ?? null,
      referrer,
      prefetch: isPrefetched(req),
      opens: !isOurs && req.method !== 'HEAD',
      credentials,
      fromPortal: () => asksForVisitor || app.settings.frontEnds.includes(req.headers.origin ?? ''),
      cookie: (name) => cookies.get(name) ?? null,
      acceptLanguage,
      cookieNames: () => [...cookies.keys()],
      caller: () => {
        const { formKey } = credentials;
        const at = performance.now();
        // A form field with the key may arrive after the first lookup.
        if (seen === null || seen.formKey !== formKey || at - seen.at > SEEN_MS)
          seen = { at, formKey, caller: identify(app, credentials, address, asksForVisitor) };
        return seen.caller;
      },
      outgoingCookies: [],
      batch: null,
      onFinished: (done) => {
        // Looked up here: a context that holds on to its request or response makes every request a tenth slower.
        const res = answerOn(socket);
        if (res === null || res.destroyed) return done();
        // Each call of a batch adds a listener.
        res.setMaxListeners(res.getMaxListeners() + 1);
        res.once('close', done);
      },
    };
  };
}

/** Whether a browser fetches this ahead of its reader. Nearly no request has such a header, so nothing is made to find out. */
const isPrefetched = (req: IncomingMessage): boolean => {
  const { headers } = req;
  const none =
    headers['sec-purpose'] === undefined &&
    headers.purpose === undefined &&
    headers['x-purpose'] === undefined &&
    headers['x-moz'] === undefined;
  return !none && isPrefetch((name) => headerOf(req, name));
};

/**
 * The caller: by the header `X-API-Key` (K in the contract), without one by the session cookie, by an `Authorization` that holds
 * a key of ours, else by the form field. Every way in takes its caller from here.
 */
async function identify(
  app: Services,
  shown: Credentials,
  address: string,
  fromPortalServer: boolean,
): Promise<Caller | null> {
  const byKey = async (key: string) => {
    const identity = await app.load.identityByKey(hashApiKey(key));
    if (identity !== null) app.keyUses.note(identity, address);
    return toCaller(identity, fromPortalServer);
  };
  if (shown.apiKey !== null) return byKey(shown.apiKey);
  if (shown.sessionTokens.length > 0) {
    const session = await sessionBy(app, shown.sessionTokens);
    // Not awaited: reads must work even if the database takes no writes.
    if (session !== null) void noteUse(app, session);
    if (session !== null) return toCaller(session);
  }
  for (const key of shown.authorized) {
    const caller = await byKey(key);
    if (caller !== null) return caller;
  }
  return shown.formKey === null ? null : byKey(shown.formKey);
}

/**
 * Whether the request comes from the server of a separate portal, which reads with an administrator's main key on
 * behalf of its visitors: it sends this response header as a request header, and no browser sends it without `Origin`.
 */
const isPortalServer = (req: IncomingMessage): boolean =>
  req.headers['access-control-allow-origin'] !== undefined && req.headers.origin === undefined;

const toCaller = (identity: Identity | null, fromPortalServer = false): Caller | null =>
  identity === null
    ? null
    : {
        id: identity.userId,
        username: identity.username,
        role: identity.role,
        active: identity.status === 'ACTIVE',
        language: languageNamed(identity.language),
        hasWebhook: identity.hasWebhook,
        pause: identity.pause,
        sessionId: identity.sessionId,
        key: identity.key && {
          id: identity.key.id,
          isMain: identity.key.isMain,
          scopes: identity.key.scopes,
          createOnly: identity.key.createOnly,
          asVisitor:
            identity.key.asVisitor || (fromPortalServer && identity.key.isMain && isAdmin(identity.role)),
        },
      };

/** The client's address. Behind a trusted proxy it is the last entry, because the client controls the others. */
function clientAddress(req: IncomingMessage, trustProxy: boolean): string {
  const direct = req.socket.remoteAddress ?? '';
  const forwarded = trustProxy ? headerOf(req, 'x-forwarded-for') : null;
  const last = forwarded === null ? undefined : forwarded.slice(forwarded.lastIndexOf(',') + 1);
  return (last === undefined ? null : addressIn(last)) ?? addressIn(direct) ?? direct;
}
