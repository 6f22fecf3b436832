import { z } from 'zod';
import { readableBy, type ValuesOf, word } from '../../shared/variables.js';
import { readSender } from './check.js';
import { type MailgunAccount, mailgunAccount } from './mailgun.js';
import { type ProviderValues, providerVariables, TRANSPORT_NAMES, TRANSPORTS } from './providers.js';

/** The variables of mail, and those of the providers. */
export const mailVariables = {
  MAIL_TRANSPORT: word(...TRANSPORT_NAMES).default('outbox'),
  MAIL_FROM: z.string().check(readableBy(readSender)).optional(),
  ...providerVariables,
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
    /** The mail domain at Mailgun. */
    readonly domain: string | null;
    /** What the providers read. */
    readonly values: ProviderValues;
  };
}

/** Reads the options. The variables that the transport requires are known to be set. */
export function mailOptions(values: Values, hostname: string): MailOptions {
  return {
    mail: {
      transport: values.MAIL_TRANSPORT,
      from: values.MAIL_FROM ?? `Holdall <no-reply@${values.MAILGUN_DOMAIN ?? hostname}>`,
      mailgun: mailgunAccount(values),
      domain: values.MAILGUN_DOMAIN ?? null,
      values,
    },
  };
}
