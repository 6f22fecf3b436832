import { z } from 'zod';
import { messageById, messagesBut } from '../../../db/mail/mail-message.js';
import { fail } from '../../base/errors.js';
import type { Context } from '../../core/context.js';
import { readableMailbox } from './access.js';
import { collectMail } from './arrival/collect.js';
import { ANSWER_BYTES, ANSWER_MESSAGES, BUILDING_FACTOR } from './bounds.js';
import { addressInput } from './mailboxes.js';
import { plainMessageId } from './message-id.js';
import { type MailRecord, mailRecord, toMailRecord } from './record.js';

const MAX_IDS = 20_000;

/** A mailbox whose mails are collected from the provider. */
export const missingInput = z.object({
  mail: addressInput,
  messageIds: z.array(z.string().max(1000)).max(MAX_IDS).nullish(),
  /** The `Origin` header of the request. */
  origin: z.string().max(500).nullish(),
});

/** `bare`: the list without the envelope, oldest first, for front ends on other origins (contract §5). */
export const missingOutput = z.object({ messages: z.array(mailRecord), bare: z.boolean() });

/**
 * The messages of a mailbox that the caller lacks, newest first, after collecting from the provider. One
 * response is limited in number and bytes; repeat the call with the received ids for the rest. All responses
 * together are limited, too: 503 while too much is waiting to be received by clients.
 */
export async function missingMail(
  ctx: Context,
  input: z.output<typeof missingInput>,
): Promise<z.output<typeof missingOutput>> {
  const { app } = ctx;
  const mailbox = await readableMailbox(ctx, input.mail);
  await collectMail(app);
  const known = (input.messageIds ?? []).map(plainMessageId);
  const ids: number[] = [];
  let bytes = 0;
  for (const { id, size } of await messagesBut(app.db, mailbox.id, known, ANSWER_MESSAGES)) {
    if (ids.length > 0 && bytes + size > ANSWER_BYTES) break;
    bytes += size;
    ids.push(id);
  }
  const held = app.limits.mailMemory.take(BUILDING_FACTOR * bytes, String(mailbox.ownerId));
  ctx.onFinished(held ?? fail('UNAVAILABLE', { retryAfter: 1 }));
  const messages: MailRecord[] = [];
  for (const id of ids) {
    const message = await messageById(app.db.read, id);
    // Null if it was removed meanwhile.
    if (message !== null) messages.push(await toMailRecord(app, mailbox.address, message));
  }
  const bare = isForeignFrontEnd(ctx, input.origin ?? null);
  // Those front ends show messages in the order in which they come.
  return { messages: bare ? messages.reverse() : messages, bare };
}

function isForeignFrontEnd({ app }: Context, origin: string | null): boolean {
  const { origin: own, corsOrigins } = app.settings;
  return origin !== null && origin !== own && corsOrigins.includes(origin);
}
