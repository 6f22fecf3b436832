import type { MailgunAccount } from '../../drivers/mail/mailgun.js';
import type { Environment } from './config.js';

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

/** The mail settings. The variables that the transport requires are known to be set. */
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
