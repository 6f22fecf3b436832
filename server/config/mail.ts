import type { MailgunAccount } from '../mail/mailgun.js';
import type { Environment } from './config.js';

/** How mail goes out, with what that needs. */
export type MailDriver =
  | { readonly transport: 'outbox' }
  | { readonly transport: 'smtp'; readonly smtpUrl: string }
  | { readonly transport: 'mailgun'; readonly account: MailgunAccount };

/** Whose mail it is, whoever brings it, and what shows that it came from them. */
interface MailSettings {
  readonly from: string;
  /** The account at Mailgun; it keeps mails that were not brought, too, whatever sends. */
  readonly mailgun: MailgunAccount | null;
  /** The domain of addresses at Mailgun. */
  readonly domain: string | null;
  readonly signingKey: string | null;
  readonly inboundToken: string | null;
}

/** What was told about mail. The variables that the transport needs are there. */
export function mailConfig(data: Environment, hostname: string): MailDriver & MailSettings {
  const { MAILGUN_API_KEY: apiKey = '', MAILGUN_DOMAIN: domain = '' } = data;
  const account = { apiKey, domain, url: data.MAILGUN_URL };
  return {
    ...driverOf(data, account),
    from: data.MAIL_FROM ?? `Holdall <no-reply@${data.MAILGUN_DOMAIN ?? hostname}>`,
    mailgun: apiKey === '' || domain === '' ? null : account,
    domain: data.MAILGUN_DOMAIN ?? null,
    signingKey: data.MAILGUN_SIGNING_KEY ?? null,
    inboundToken: data.EMAIL_INBOUND_TOKEN ?? null,
  };
}

function driverOf({ MAIL_TRANSPORT: transport, SMTP_URL }: Environment, account: MailgunAccount): MailDriver {
  if (transport === 'smtp') return { transport, smtpUrl: SMTP_URL ?? '' };
  if (transport === 'mailgun') return { transport, account };
  return { transport };
}
