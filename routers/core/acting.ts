import type { Caller } from './caller.js';
import type { Context, Services } from './context.js';

/** The context of work for an account that no request is waiting for; `caller` is asked whenever the account is. */
export const contextOutside = (
  app: Services,
  caller: () => Promise<Caller | null>,
  more: Partial<Pick<Context, 'userAgent' | 'onFinished'>> = {},
): Context => ({
  app,
  address: '',
  network: () => '',
  userAgent: null,
  referrer: null,
  prefetch: false,
  fromPortal: () => false,
  opens: false,
  acceptLanguage: null,
  credentials: { apiKey: null, authorized: [], sessionTokens: [], formKey: null, mailbox: null },
  cookie: () => null,
  cookieNames: () => [],
  caller,
  batch: null,
  outgoingCookies: [],
  onFinished: (done) => done(),
  ...more,
});
