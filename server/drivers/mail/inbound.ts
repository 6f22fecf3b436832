import {
  type InboundForm,
  type InboundMailReader,
  InboundRefused,
  type ReceivedMail,
} from '../../../routers/ports/mail.js';
import { mailgunForm } from './inbound-mailgun.js';
import { workerForm } from './inbound-worker.js';
import type { MailOptions } from './options.js';

/** A form of inbound mail: that of a provider or of a program. It is authenticated before it is read. */
export interface InboundDriver {
  /** Whether a request is in this form: by the secret in its header and, once it is here, by its body. */
  takes(secret: string | null, form: InboundForm | null): boolean;
  /** Throws `InboundRefused` if the secret is wrong, or the form is not configured. */
  admit(secret: string | null): void;
  /** Throws `InboundRefused`. */
  read(form: InboundForm, secret: string | null): ReceivedMail;
}

/** Opens the reader of all forms. One whose secret is not set is refused as forged. */
export function openInbound({ mail }: MailOptions, now: () => number = Date.now): InboundMailReader {
  const drivers: readonly InboundDriver[] = [
    workerForm(mail.inboundToken),
    mailgunForm(mail.signingKey, now),
  ];
  return {
    admit(secret) {
      const refusals = drivers
        .filter((driver) => driver.takes(secret, null))
        .map((driver) => refusalOf(() => driver.admit(secret)));
      const [first] = refusals;
      if (first !== undefined && refusals.every((refusal) => refusal !== null)) throw first;
    },
    read(form, secret) {
      const driver = drivers.find((candidate) => candidate.takes(secret, form));
      if (driver === undefined) throw new InboundRefused('malformed', 'No mail has this form');
      return driver.read(form, secret);
    },
  };
}

function refusalOf(admit: () => void): InboundRefused | null {
  try {
    admit();
    return null;
  } catch (error) {
    if (error instanceof InboundRefused) return error;
    throw error;
  }
}
