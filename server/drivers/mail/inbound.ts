import { type InboundMailReader, InboundRefused } from '../../../routers/ports/mail.js';
import type { Config } from '../../runtime/config/config.js';
import { sameSecret } from '../secrets/same-secret.js';
import { field, readMailgunForm } from './inbound-mailgun.js';
import { readWorkerMail } from './inbound-worker.js';
import { checkMailgunSignature } from './signature.js';

/**
 * Reads inbound mail. Each form is authenticated before it is read; a form whose secret (`MAILGUN_SIGNING_KEY`,
 * `EMAIL_INBOUND_TOKEN`) is not set is refused as forged.
 */
export function openInbound(config: Pick<Config, 'mail'>, now: () => number = Date.now): InboundMailReader {
  const { signingKey, inboundToken } = config.mail;
  const checkWorker = (token: string): void => {
    if (inboundToken === null || !sameSecret(token, inboundToken)) {
      throw new InboundRefused('forged', 'The token is missing or wrong');
    }
  };
  return {
    admit(workerToken) {
      if (workerToken !== null) checkWorker(workerToken);
      else if (signingKey === null) {
        throw new InboundRefused('forged', 'The signature is missing or wrong');
      }
    },
    mailgun(fields, parts) {
      const signed = {
        timestamp: field(fields, 'timestamp'),
        token: field(fields, 'token'),
        signature: field(fields, 'signature'),
      };
      checkMailgunSignature(signed, signingKey, now());
      return { mail: readMailgunForm(fields, parts), token: signed.token };
    },
    worker(token, body) {
      checkWorker(token ?? '');
      return readWorkerMail(body);
    },
  };
}
