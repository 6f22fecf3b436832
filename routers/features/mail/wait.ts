import { z } from 'zod';
import { oldestAwaited } from '../../../db/mail/mail-list.js';
import { fail } from '../../base/errors.js';
import { mailTopic } from '../../base/ports/hub.js';
import { dateInput } from '../../base/text/dates.js';
import type { Context, Services } from '../../core/context.js';
import { seeking } from '../../core/search.js';
import { readableMailbox } from './access.js';
import { addressInput } from './mailboxes.js';
import { readMessage } from './read.js';
import { type MessageRecord, messageRecord } from './record.js';

const MAX_LINKS = 50;
/** Of the text and of the HTML each, in UTF-16 units. */
const MAX_READ = 500_000;
const ADDRESS = /https?:\/\/[^\s<>"']{1,2000}/gi;
const ENDS = /(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/;

/** The web addresses in a mail, each once, those of its text first; at most 50. */
function linksIn({ text, html }: Pick<MessageRecord, 'text' | 'html'>): string[] {
  const written = (text.slice(0, MAX_READ).match(ADDRESS) ?? []).map((address) => address.replace(ENDS, ''));
  const linked = [...html.slice(0, MAX_READ).matchAll(/\shref="(https?:\/\/[^"]{1,2000})"/gi)].map(
    ([, address = '']) => address.replaceAll('&amp;', '&'),
  );
  return [...new Set([...written, ...linked])].slice(0, MAX_LINKS);
}

const MAX_SECONDS = 60;
/** Of one process, and of one mailbox, so that whoever has one cannot keep others from waiting. */
const MAX_WAITS = 2_000;
const MAX_WAITS_OF_MAILBOX = 250;

const part = z.string().trim().max(200).nullish();

/** What a mail must be like that somebody waits for, and for how long. */
export const waitInput = z.object({
  email: addressInput,
  subject: part,
  from: part,
  to: part,
  /** Only what arrives after this moment; without it, what is there already counts, too. */
  after: dateInput.nullish(),
  timeout: z.number().min(0).max(MAX_SECONDS, 'wait at most 60 seconds').default(30),
});

/** A mail that was waited for, with the codes and the addresses in it. */
export const waitOutput = z
  .object({ message: messageRecord, codes: z.array(z.string()), links: z.array(z.string()) })
  .nullable();

/** How many wait in a process, by mailbox. */
const waits = new WeakMap<Services, Map<number, number>>();

/**
 * The oldest mail of a mailbox that fits, as soon as it is there; null if none comes in time. It stays unread. 503 while
 * too many callers wait.
 */
export async function waitForMail(
  ctx: Context,
  input: z.output<typeof waitInput>,
): Promise<z.output<typeof waitOutput>> {
  const { app } = ctx;
  const mailbox = await readableMailbox(ctx, input.email);
  const wanted = {
    subject: input.subject || null,
    from: input.from || null,
    to: input.to || null,
    after: input.after ?? null,
  };
  const arrived: number[] = [];
  const end = performance.now() + input.timeout * 1000;
  let isLeft = false;
  let wake = () => {};
  ctx.onFinished(() => {
    isLeft = true;
    wake();
  });
  const leave = enter(app, mailbox.id);
  // Before the first look, so that nothing arrives between it and the wait.
  const unsubscribe = app.hub.subscribe(mailTopic(mailbox.address), ({ mailId }) => {
    arrived.push(Number(mailId));
    wake();
  });
  try {
    const searcher = { ...ctx, account: { id: mailbox.ownerId ?? 'guests' } };
    let messageId = await seeking(searcher, wanted.to, () => oldestAwaited(app.db, mailbox.id, wanted, null));
    while (messageId === null) {
      const left = end - performance.now();
      if (isLeft || left <= 0) return null;
      if (arrived.length === 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const among = arrived.splice(0);
      if (among.length > 0) messageId = await oldestAwaited(app.db, mailbox.id, wanted, among);
    }
    // Asks again what the caller may read, which can have changed meanwhile.
    const message = await readMessage(ctx, { email: input.email, messageId, whole: true });
    return { message, codes: message.codes, links: linksIn(message) };
  } finally {
    unsubscribe();
    leave();
  }
}

/** Counts a caller who waits; call what it returns when the wait is over. */
function enter(app: Services, mailboxId: number): () => void {
  const counts = waits.get(app) ?? new Map<number, number>();
  waits.set(app, counts);
  const own = counts.get(mailboxId) ?? 0;
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (own >= MAX_WAITS_OF_MAILBOX || all >= MAX_WAITS) fail('UNAVAILABLE', { retryAfter: 5 });
  counts.set(mailboxId, own + 1);
  return () => {
    const left = (counts.get(mailboxId) ?? 1) - 1;
    if (left > 0) counts.set(mailboxId, left);
    else counts.delete(mailboxId);
  };
}
