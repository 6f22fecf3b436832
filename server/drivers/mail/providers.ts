import type { ValuesOf } from '../../shared/variables.js';
import { mailgunRoute } from './inbound-mailgun.js';
import { workerMail } from './inbound-worker.js';
import { mailgun } from './mailgun.js';
import { outbox } from './outbox.js';
import { smtp } from './smtp.js';

/** The ways to send mail, as `MAIL_TRANSPORT` names them. */
export const TRANSPORTS = { outbox, smtp, mailgun } as const;
type TransportName = keyof typeof TRANSPORTS;
/** What MAIL_TRANSPORT can be. */
export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as TransportName[];

/** The senders of inbound mail, in the order in which they are asked whether a request is theirs. */
export const INBOUND = [workerMail, mailgunRoute] as const;

/** The variables that they read. */
export const providerVariables = {
  ...smtp.variables,
  ...mailgun.variables,
  ...workerMail.variables,
  ...mailgunRoute.variables,
};
export type ProviderValues = ValuesOf<typeof providerVariables>;
