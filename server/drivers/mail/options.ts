import { z } from 'zod';
import { hostName, origin, readableBy, type ValuesOf, word } from '../../shared/variables.js';
import { readSender } from './check.js';
import type { MailgunAccount } from './mailgun.js';

/** The variables of the mail transport and of inbound mail. */
export const mailVariables = {
  MAIL_TRANSPORT: word('outbox', 'smtp', 'mailgun').default('outbox'),
  MAILGUN_API_KEY: z.string().optional(),
  MAILGUN_DOMAIN: hostName.optional(),
  MAILGUN_URL: origin.default('https://api.mailgun.net'),
  MAILGUN_SIGNING_KEY: z.string().optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address')
    .optional(),
  MAIL_FROM: z.string().check(readableBy(readSender)).optional(),
  EMAIL_INBOUND_TOKEN: z.string().optional(),
};

type Values = ValuesOf<typeof mailVariables>;

/** The variables that each transport requires. */
export const transportRequirements: Readonly<Record<Values['MAIL_TRANSPORT'], readonly string[]>> = {
  outbox: [],
  smtp: ['SMTP_URL'],
  mailgun: ['MAILGUN_API_KEY', 'MAILGUN_DOMAIN'],
};

/** The mail transport with its settings. */
export type MailDriver =
  | { readonly transport: 'outbox' }
  | { readonly transport: 'smtp'; readonly smtpUrl: string }
  | { readonly transport: 'mailgun'; readonly account: MailgunAccount };

/** Settings for every transport: the sender, the Mailgun account, and the secrets that authenticate inbound mail. */
interface MailSettings {
  readonly from: string;
  /** It also stores inbound mails that were not delivered to us, whatever transport sends. */
  readonly mailgun: MailgunAccount | null;
  /** The mail domain at Mailgun. */
  readonly domain: string | null;
  readonly signingKey: string | null;
  readonly inboundToken: string | null;
}

/** How mail is sent and received. */
export interface MailOptions {
  readonly mail: MailDriver & MailSettings;
}

/** Reads the options. The variables that the transport requires are known to be set. */
export function mailOptions(values: Values, hostname: string): MailOptions {
  const { MAILGUN_API_KEY: apiKey = '', MAILGUN_DOMAIN: domain = '' } = values;
  const account = { apiKey, domain, url: values.MAILGUN_URL };
  return {
    mail: {
      ...driverOf(values, account),
      from: values.MAIL_FROM ?? `Holdall <no-reply@${values.MAILGUN_DOMAIN ?? hostname}>`,
      mailgun: apiKey === '' || domain === '' ? null : account,
      domain: values.MAILGUN_DOMAIN ?? null,
      signingKey: values.MAILGUN_SIGNING_KEY ?? null,
      inboundToken: values.EMAIL_INBOUND_TOKEN ?? null,
    },
  };
}

function driverOf({ MAIL_TRANSPORT: transport, SMTP_URL }: Values, account: MailgunAccount): MailDriver {
  if (transport === 'smtp') return { transport, smtpUrl: SMTP_URL ?? '' };
  if (transport === 'mailgun') return { transport, account };
  return { transport };
}
