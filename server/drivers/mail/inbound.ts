import { type InboundMailReader, InboundRefused } from '../../../routers/base/ports/mail/mail.js';
import type { MailOptions } from './options.js';
import { INBOUND } from './providers.js';
import type { ReadingApart } from './reading/apart.js';
import { tooOld } from './signature.js';

/** Opens the reader of all forms. One whose secret is not set is refused as forged. */
export function openInbound(
  { mail }: MailOptions,
  reading: Pick<ReadingApart, 'mail' | 'files'>,
  now: () => number = Date.now,
): InboundMailReader {
  const drivers = INBOUND.map((provider) => provider.open(mail.values, now));
  return {
    admit(secret) {
      const refusals = drivers
        .filter((driver) => driver.takes(secret, null))
        .map((driver) => refusalOf(() => driver.admit(secret)));
      const [first] = refusals;
      if (first !== undefined && refusals.every((refusal) => refusal !== null)) throw first;
    },
    async read(form, secret) {
      const driver = drivers.find((candidate) => candidate.takes(secret, form));
      if (driver === undefined) throw new InboundRefused('malformed', 'No mail has this form');
      const proven = driver.prove(form, secret);
      try {
        return { ...(await reading.mail({ form, stored: driver.stores, plain: false })), ...proven };
      } catch (error) {
        throw proven.late && error instanceof InboundRefused ? tooOld() : error;
      }
    },
    readMessage: async (message, envelope, withheld = new Set()) =>
      (await reading.mail({ message, envelope, withheld, plain: false })).mail,
    filesIn: (message) => reading.files(message),
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
