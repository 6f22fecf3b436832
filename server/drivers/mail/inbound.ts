import { type InboundMailReader, InboundRefused } from '../../../routers/ports/mail.js';
import type { MailOptions } from './options.js';
import { INBOUND } from './providers.js';
import { tooOld } from './signature.js';

/** Opens the reader of all forms. One whose secret is not set is refused as forged. */
export function openInbound({ mail }: MailOptions, now: () => number = Date.now): InboundMailReader {
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
      // Charsets and parsers are loaded with the first mail.
      const { readFields } = await import('./reading/fields.js');
      try {
        return { ...(await readFields(form, driver.stores)), ...proven };
      } catch (error) {
        throw proven.late && error instanceof InboundRefused ? tooOld() : error;
      }
    },
    async readMessage(message, envelope, withheld) {
      const [{ fromMessage }, { readMessage }, { peopleIn }] = await Promise.all([
        import('./reading/fields.js'),
        import('./reading/message.js'),
        import('./reading/people.js'),
      ]);
      const people = (addresses: readonly string[]) => addresses.flatMap((address) => peopleIn(address));
      return fromMessage(await readMessage(message, withheld), {
        sender: people([envelope.sender]),
        recipients: people(envelope.recipients),
      });
    },
    async filesIn(message) {
      const { filesIn } = await import('./reading/message.js');
      return filesIn(message);
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
