import { z } from 'zod';
import type { Log } from '../../../routers/ports/log.js';
import type { MailTransport } from '../../../routers/ports/mail.js';
import { MailRefused } from '../../../routers/ports/mail.js';
import { checkMail } from './check.js';
import { nodemailerFields } from './compose.js';
import type { TransportProvider } from './provider.js';

const CONNECT_MS = 15_000;
const IDLE_MS = 30_000;

/**
 * Sends through the SMTP server in `SMTP_URL`, whose query contains nodemailer options. A permanent rejection (5xx)
 * of the mail throws `MailRefused`. A failed login is a configuration error that may be fixed, so it is not final.
 */
function openSmtp(url: string, from: string, log: Log): MailTransport {
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
        const { rejected } = await transport.sendMail(nodemailerFields(checked));
        if (rejected.length > 0)
          log.warn({ count: rejected.length }, 'the mail server refused some recipients');
      } catch (error) {
        throw isFinal(error) ? new MailRefused((error as Error).message) : error;
      } finally {
        transport.close();
      }
    },
  };
}

/** Whether it is a 5xx about the mail itself. 503 is about the session, `EAUTH` about our login. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false;
  const status = Number(error.responseCode);
  const aboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  return aboutMail && status >= 500 && status < 600 && status !== 503;
}

const variables = {
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address')
    .optional(),
};

/** Any SMTP server. */
export const smtp: TransportProvider<typeof variables> = {
  variables,
  requires: ['SMTP_URL'],
  open: ({ SMTP_URL = '' }, { from, log }) => openSmtp(SMTP_URL, from, log),
};
