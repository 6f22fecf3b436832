import type { MailTransport } from '../../routers/ports/mail.js';
import { MailRefused } from '../../routers/ports/mail.js';
import type { Logger } from '../logger.js';
import { checkMail } from './check.js';
import { nodemailerFields } from './compose.js';

const CONNECT_MS = 15_000;
const IDLE_MS = 30_000;

/**
 * Sends through the SMTP server of `SMTP_URL`; options in its query are nodemailer's. A rejection for good
 * (5xx) of the mail throws `MailRefused`; a login that fails is the operator's matter and may pass.
 */
export function openSmtp(url: string, from: string, log: Logger): MailTransport {
  return {
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

/** 5xx about the mail itself. 503 speaks of the session; `EAUTH` of our login. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false;
  const status = Number(error.responseCode);
  const aboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  return aboutMail && status >= 500 && status < 600 && status !== 503;
}
