import { z } from 'zod';
import type { MailTransport, OutgoingAttachment } from '../../../routers/base/ports/mail/mail.js';
import { MailRefused } from '../../../routers/base/ports/mail/mail.js';
import { within } from '../../../routers/base/text/within.js';
import { hostName, origin, type ValuesOf } from '../../shared/variables.js';
import { setting } from '../setting.js';
import { type CheckedMail, checkMail, type MailAddress } from './check.js';
import { SENDING_MS, type TransportProvider } from './provider.js';

/** Access to a Mailgun account; `url` selects the US or EU region. */
export interface MailgunAccount {
  readonly apiKey: string;
  readonly domain: string;
  readonly url: string;
}

/** The name of the provider in messages. */
export const PROVIDER = 'Mailgun';

const TIMEOUT_MS = 30_000;
/** Statuses that are about this mail; all others concern the account or are temporary. */
const FINAL = new Set([400, 413, 422]);

/** Sends with Mailgun's API. If Mailgun rejects the request as bad, throws `MailRefused`. */
export function openMailgun(account: MailgunAccount, from: string, wholeMs = SENDING_MS): MailTransport {
  return {
    label: PROVIDER,
    async send(mail) {
      const checked = checkMail(mail, from);
      const receivers = checked.to.filter(({ address }) => checked.recipients.includes(address));
      const { default: Mailgun } = await import('mailgun.js');
      const client = new Mailgun(FormData).client({
        username: 'api',
        key: account.apiKey,
        url: account.url,
        timeout: TIMEOUT_MS,
      });
      try {
        const sending = client.messages.create(account.domain, {
          from: written(checked.from),
          to: receivers.map(written),
          // Of the others only the header tells.
          ...(receivers.length < checked.to.length ? { 'h:To': checked.to.map(written).join(', ') } : {}),
          ...(checked.messageId === null ? {} : { 'h:Message-Id': `<${checked.messageId}>` }),
          ...(checked.date === null ? {} : { 'h:Date': checked.date.toUTCString().replace('GMT', '+0000') }),
          subject: checked.subject,
          text: checked.text,
          ...(checked.html === null ? {} : { html: checked.html }),
          ...Object.fromEntries(Object.entries(checked.headers).map(([name, value]) => [`h:${name}`, value])),
          ...filesOf(checked),
        });
        // Its own limit is one of silence.
        if ((await within(wholeMs, sending)) === undefined) throw new Error('Mailgun took too long');
      } catch (error) {
        throw translate(error);
      }
    },
  };
}

/** Files that the HTML shows are named by their Content-Id there. */
function filesOf({ attachments }: CheckedMail) {
  const file = ({ filename, contentType, content, contentId }: OutgoingAttachment, inline: boolean) => ({
    data: content,
    filename: inline ? (contentId ?? filename) : filename,
    contentType,
  });
  return {
    attachment: attachments.filter(({ contentId }) => contentId === null).map((one) => file(one, false)),
    inline: attachments.filter(({ contentId }) => contentId !== null).map((one) => file(one, true)),
  };
}

/** A mailbox as header text; Mailgun encodes non-ASCII characters. */
function written({ name, address }: MailAddress): string {
  return name === '' ? address : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`;
}

/**
 * An error with only status and reason. mailgun.js also reports a lost connection as status 400, with the system's
 * error code (`ECONNREFUSED`) as status text; that is not final.
 */
function translate(error: unknown): Error {
  if (!(error instanceof Error) || !('status' in error)) return new Error('Mailgun did not respond');
  if (/^[A-Z][A-Z0-9_]*$/.test(error.message)) return new Error(`Mailgun did not respond: ${error.message}`);
  const details = 'details' in error ? String(error.details).slice(0, 200) : '';
  const reason = `Mailgun responded with ${error.status}: ${details}`;
  return FINAL.has(Number(error.status)) ? new MailRefused(reason) : new Error(reason);
}

const variables = {
  MAILGUN_API_KEY: setting('mail', z.string().optional(), { secret: true }),
  MAILGUN_DOMAIN: setting('mail', hostName.optional()),
  MAILGUN_URL: setting('mail', origin.default('https://api.mailgun.net')),
};

const accountOf = ({
  MAILGUN_API_KEY: apiKey = '',
  MAILGUN_DOMAIN: domain = '',
  MAILGUN_URL: url,
}: ValuesOf<typeof variables>): MailgunAccount => ({ apiKey, domain, url });

/** The account that the variables name; null if they name none. */
export function mailgunAccount(values: ValuesOf<typeof variables>): MailgunAccount | null {
  const account = accountOf(values);
  return account.apiKey === '' || account.domain === '' ? null : account;
}

/** Mailgun. */
export const mailgun: TransportProvider<typeof variables> = {
  variables,
  requires: ['MAILGUN_API_KEY', 'MAILGUN_DOMAIN'],
  open: (values, { from }) => openMailgun(accountOf(values), from),
};
