import { destinations } from '../../../../db/mail/mail-destination.js';
import { holdersOfMessage } from '../../../../db/mail/mail-message.js';
import { collectedUntil, setCollectedUntil } from '../../../../db/mail/mail-token.js';
import { mapLimit } from '../../../base/map-limit.js';
import type { InboundMail, MailStore, StoredNotice } from '../../../base/ports/mail/mail.js';
import { within } from '../../../base/text/within.js';
import type { Services } from '../../../core/context.js';
import { takeArrival } from './arrival.js';
import { canWait, queueArrival } from './waiting.js';

const FETCHES_AT_ONCE = 4;
/** How long a caller waits for the provider, in milliseconds; the collection continues after that. */
const PATIENCE_MS = 10_000;
const HOUR_MS = 60 * 60 * 1000;
/** The provider keeps mails for three days. From then on, one that fails is tried again even if nobody asks for it, */
const UNASKED_MS = 48 * HOUR_MS;
/** and from then on, it comes without what cannot be fetched or looked at. */
const PARTIAL_MS = 66 * HOUR_MS;

/**
 * Collects mails that the provider still stores and that are missing here, in a run started after this call.
 * Concurrent callers share one run. Never fails: what is unavailable now is collected another time.
 */
export async function collectMail(app: Services): Promise<void> {
  const mailStore = app.mail.store;
  if (mailStore === null) return;
  const collection = freshly(app, () => collect(app, mailStore)).catch((error: unknown) =>
    app.log.warn({ err: error }, 'stored mails could not be collected from the provider'),
  );
  await within(PATIENCE_MS, collection);
}

/** Shares a run with callers that start at the same time, but never joins a run that has already started. */
async function freshly(app: Services, work: () => Promise<void>): Promise<void> {
  let own = false;
  await app.singleFlight('mail-collection', () => {
    own = true;
    return work();
  });
  if (!own) await app.singleFlight('mail-collection', work);
}

async function collect(app: Services, store: MailStore): Promise<void> {
  const { notices, coveredUntil } = await store.list(await collectedUntil(app.db.read));
  const failures: number[] = [];
  await mapLimit(FETCHES_AT_ONCE, await lacking(app, notices), async (notice) => {
    try {
      const mail = await store.fetch(notice);
      if (mail !== null) await takeStored(app, mail, notice.storedAt);
    } catch (error) {
      failures.push(notice.storedAt);
      app.log.warn({ err: error }, 'a stored mail could not be collected');
    }
  });
  await app.db.write((trx) => setCollectedUntil(trx, Math.min(coveredUntil, ...failures)));
}

/** Takes a mail with all its files, or, while the provider does not keep it for much longer, in another way. */
async function takeStored(app: Services, mail: InboundMail, storedAt: number): Promise<void> {
  try {
    await takeArrival(app, { mail });
  } catch (error) {
    const age = Date.now() - storedAt;
    if (age < UNASKED_MS || !canWait({ mail }, error)) throw error;
    if (age < PARTIAL_MS) {
      await queueArrival(app, { mail }, storedAt + PARTIAL_MS);
      throw error;
    }
    app.log.warn({ err: error }, 'a stored mail comes without what is missing');
    await takeArrival(app, { mail, partial: true });
  }
}

/** The notices of mails that are missing in an open mailbox. */
async function lacking(app: Services, notices: readonly StoredNotice[]): Promise<StoredNotice[]> {
  const recipients = [...new Set(notices.flatMap((notice) => notice.recipients))];
  const open = new Map(
    (await destinations(app.db, recipients, Date.now())).flatMap(({ recipient, mailbox }) =>
      mailbox === null ? [] : [[recipient, mailbox.id]],
    ),
  );
  const checked = await mapLimit(FETCHES_AT_ONCE, notices, async (notice) => {
    const ids = notice.recipients.flatMap((address) => open.get(address) ?? []);
    if (ids.length === 0) return false;
    const holders = await holdersOfMessage(app.db, ids, notice.messageId);
    return ids.some((id) => !holders.has(id));
  });
  return notices.filter((_notice, index) => checked[index]);
}
