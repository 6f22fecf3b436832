import { z } from 'zod';
import { readableBy, type ValuesOf, word } from '../../shared/variables.js';
import { setting } from '../setting.js';
import { readSender } from './check.js';
import { type MailgunAccount, mailgunAccount } from './mailgun.js';
import { type ProviderValues, providerVariables, TRANSPORT_NAMES, TRANSPORTS } from './providers.js';
import { type SmtpInOptions, smtpInOptions, smtpInVariables } from './smtp-in/options.js';

/** The variables of mail, and those of the providers. */
export const mailVariables = {
  MAIL_TRANSPORT: setting('mail', word(...TRANSPORT_NAMES).default('outbox'), { choices: TRANSPORT_NAMES }),
  MAIL_FROM: setting('mail', z.string().check(readableBy(readSender)).optional()),
  ...providerVariables,
  ...smtpInVariables,
};

type Values = ValuesOf<typeof mailVariables>;

/** The variables that each transport requires. */
export const transportRequirements = Object.fromEntries(
  TRANSPORT_NAMES.map((name) => [name, TRANSPORTS[name].requires]),
) as Readonly<Record<Values['MAIL_TRANSPORT'], readonly string[]>>;

/** How mail is sent and received. */
export interface MailOptions {
  readonly mail: {
    readonly transport: Values['MAIL_TRANSPORT'];
    readonly from: string;
    /** It also stores inbound mails that were not delivered to us, whatever transport sends. */
    readonly mailgun: MailgunAccount | null;
    /** The domains of receiving addresses; the first is that of new ones. */
    readonly domains: readonly [string, ...string[]];
    /** How mail is received by SMTP; null if it is not. */
    readonly smtpIn: SmtpInOptions;
    /** Whether the senders of mail that comes by SMTP are checked. */
    readonly authentication: boolean;
    /** The DNS servers that are asked about them; null for those of the system. */
    readonly resolvers: readonly string[] | null;
    /** What the providers read. */
    readonly values: ProviderValues;
  };
}

/** Reads the options. The variables that the transport requires are known to be set. */
export function mailOptions(values: Values, hostname: string): MailOptions {
  const [first = values.MAILGUN_DOMAIN ?? hostname, ...more] = values.MAIL_DOMAINS ?? [];
  return {
    mail: {
      transport: values.MAIL_TRANSPORT,
      from: values.MAIL_FROM ?? `Holdall <no-reply@${first}>`,
      mailgun: mailgunAccount(values),
      domains: [first, ...more],
      smtpIn: smtpInOptions(values),
      authentication: values.MAIL_AUTHENTICATION,
      resolvers: values.MAIL_RESOLVERS ?? null,
      values,
    },
  };
}
