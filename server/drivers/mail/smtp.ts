import { z } from 'zod';
import type { MailTransport } from '../../../routers/base/ports/mail/mail.js';
import { MailDeferred, MailRefused } from '../../../routers/base/ports/mail/mail.js';
import { setting } from '../setting.js';
import { checkMail } from './check.js';
import { nodemailerFields } from './compose.js';
import { SENDING_MS, type TransportProvider } from './provider.js';

const CONNECT_MS = 15_000;
const IDLE_MS = 30_000;

/**
 * Sends through the SMTP server in `SMTP_URL`, whose query contains nodemailer options. A permanent rejection (5xx)
 * of the mail throws `MailRefused`, a temporary one `MailDeferred`. A failed login is a configuration error that may be
 * fixed, so it is not final. A server that answers byte by byte is given up after `wholeMs`.
 */
export function openSmtp(url: string, from: string, wholeMs = SENDING_MS): MailTransport {
  return {
    label: 'SMTP',
    async send(mail) {
      const checked = checkMail(mail, from);
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        url,
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        dnsTimeout: CONNECT_MS,
        socketTimeout: IDLE_MS,
      });
      try {
        await transport.sendMail({ ...nodemailerFields(checked), signal: AbortSignal.timeout(wholeMs) });
      } catch (error) {
        throw answered(error);
      } finally {
        transport.close();
      }
    },
  };
}

/**
 * An error with what the server said about the mail, if it did. 503 is about the session, `EAUTH` about our login, and
 * 421 about the connection.
 */
function answered(error: unknown): unknown {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return error;
  const status = Number(error.responseCode);
  const aboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  if (!aboutMail || status < 400 || status > 599 || status === 503 || status === 421) return error;
  const answer = 'response' in error && typeof error.response === 'string' ? error.response : error.message;
  return status >= 500 ? new MailRefused(answer) : new MailDeferred(answer);
}

const variables = {
  SMTP_URL: setting(
    'mail',
    z
      .string()
      .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address')
      .optional(),
    { secret: true },
  ),
};

/** Any SMTP server. */
export const smtp: TransportProvider<typeof variables> = {
  variables,
  requires: ['SMTP_URL'],
  open: ({ SMTP_URL = '' }, { from }) => openSmtp(SMTP_URL, from),
};
