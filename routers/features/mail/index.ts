import { z } from 'zod';
import { unreadIn } from '../../../db/mail/mail-list.js';
import { listMailboxes, mailboxesOf } from '../../../db/mail/mailbox.js';
import { fail } from '../../base/errors.js';
import { recordsOf } from '../../base/paging.js';
import { taskRecord } from '../../core/challenge.js';
import {
  admin,
  creator,
  type Needs,
  open,
  openCreator,
  openToAnyText,
  quiet,
  router,
  signedIn,
} from '../../core/trpc.js';
import { delivery } from '../image/public.js';
import { ownMailbox, readableMailbox, removableMailbox, requireReader } from './access.js';
import { inboundInput, receiveMail } from './arrival/inbound.js';
import { createGuestMailbox, guestInput, newGuestTask } from './guests.js';
import { handlingProcedures } from './handling.js';
import { endInput } from './lifetime.js';
import { byAddress, createInput, createMailbox, moveEnd } from './mailboxes.js';
import { missingInput, missingMail, missingOutput } from './missing.js';
import {
  attachmentRecord,
  findAttachment,
  inboxInput,
  inboxPage,
  markInput,
  markRead,
  messageInput,
  originalInput,
  readInbox,
  readInput,
  readMessage,
  readOriginal,
} from './read.js';
import { mailboxRecord, messageRecord, toMailboxRecord } from './record.js';
import { deleteOwn, emptyMailbox, removeMessage } from './remove.js';
import { replyInput, replyTo } from './reply.js';
import { queuedOutput, sendInput, sendMail } from './send.js';
import { sentInput, sentMails, sentPage } from './sendings.js';
import { setState } from './state.js';
import { waitForMail, waitInput, waitOutput } from './wait.js';

/** For callers with an account or a mailbox cookie; the procedure checks which mailbox they may read. */
const withReader = (...needs: Needs) =>
  open(...needs).use(async ({ ctx, next }) => {
    await requireReader(ctx);
    return next();
  });
const reader = withReader('mail:read', 'whilePaused');
const remover = withReader('mail:write');
/** For people without an account, where they get mailboxes: 404 elsewhere, whatever they send. */
const forGuests = openCreator(null).use(({ ctx, next }) => {
  if (!ctx.app.settings.guestMailboxes) fail('NOT_FOUND');
  return next();
});
const removed = z.object({ uniqueId: z.null() });
const done = z.object({});

/** E-mail: receiving addresses, their mails, and mails sent by administrators (docs/mail.md). */
export const emailRouter = router({
  create: creator('mail:write')
    .input(createInput)
    .output(mailboxRecord)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.limits.rates.take('create', String(ctx.account.id));
      return toMailboxRecord(ctx.app, await createMailbox(ctx, input));
    }),

  /** A proof of work for `createPublic`. */
  publicChallenge: forGuests.output(taskRecord).query(({ ctx }) => newGuestTask(ctx.app)),

  createPublic: forGuests
    .input(guestInput)
    .output(mailboxRecord)
    .mutation(async ({ ctx, input }) => toMailboxRecord(ctx.app, await createGuestMailbox(ctx, input))),

  /** The caller's own mailboxes. */
  mine: signedIn('mail:read')
    .output(z.array(mailboxRecord))
    .query(async ({ ctx }) => {
      const mailboxes = await mailboxesOf(ctx.app.db.read, ctx.account.id);
      return recordsOf(mailboxes, (mailbox) => toMailboxRecord(ctx.app, mailbox));
    }),

  /** How many messages in each mailbox of the caller nobody has opened; those with none are missing. */
  unread: signedIn('mail:read')
    .output(z.array(z.object({ email: z.string(), unread: z.int() })))
    .query(async ({ ctx: { app, account } }) => {
      const mailboxes = await mailboxesOf(app.db.read, account.id);
      const unread = await unreadIn(
        app.db,
        mailboxes.map(({ id }) => id),
      );
      return mailboxes.flatMap(({ id, address }) => {
        const count = unread.get(id);
        return count === undefined ? [] : { email: address, unread: count };
      });
    }),

  all: admin('mail:read')
    .input(z.object({ limit: z.int().min(1).max(1000).default(1000), offset: z.int().min(0).default(0) }))
    .output(z.array(mailboxRecord))
    .query(async ({ ctx, input }) => {
      const mailboxes = await listMailboxes(ctx.app.db.read, input.limit, input.offset);
      return recordsOf(mailboxes, (mailbox) => toMailboxRecord(ctx.app, mailbox));
    }),

  info: reader
    .input(byAddress)
    .output(mailboxRecord)
    .query(async ({ ctx, input }) =>
      toMailboxRecord(ctx.app, await readableMailbox(ctx, input.email, { deletedToo: true })),
    ),

  setState: signedIn('mail:write')
    .input(byAddress.extend({ state: z.enum(['OPEN', 'CLOSED', 'SUSPENDED']) }))
    .output(mailboxRecord)
    .mutation(async ({ ctx, input }) => {
      const mailbox = await setState(ctx, await ownMailbox(ctx, input.email), input.state);
      return toMailboxRecord(ctx.app, mailbox);
    }),

  setExpiration: signedIn('mail:write')
    .input(byAddress.extend({ expiresAt: endInput }))
    .output(mailboxRecord)
    .mutation(async ({ ctx, input }) => {
      const mailbox = await ownMailbox(ctx, input.email);
      return toMailboxRecord(ctx.app, await moveEnd(ctx, mailbox, input.expiresAt));
    }),

  delete: remover
    .input(byAddress)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await deleteOwn(ctx, await removableMailbox(ctx, input.email));
      return { uniqueId: null };
    }),

  clear: remover
    .input(byAddress)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await emptyMailbox(ctx, await removableMailbox(ctx, input.email));
      return { uniqueId: null };
    }),

  deleteMessage: remover
    .input(messageInput)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await removeMessage(ctx, await removableMailbox(ctx, input.email), input.messageId);
      return { uniqueId: null };
    }),

  inbound: openToAnyText('mail:write', 'whilePaused')
    .input(inboundInput)
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => receiveMail(ctx, input))),

  missing: reader
    .input(missingInput)
    .output(missingOutput)
    .mutation(({ ctx, input }) => missingMail(ctx, input)),

  /** Every mail of a mailbox, paged, with only the fields for a list. */
  inbox: reader
    .input(inboxInput)
    .output(inboxPage)
    .query(({ ctx, input }) => readInbox(ctx, input)),

  message: reader
    .input(readInput)
    .output(messageRecord)
    .query(({ ctx, input }) => readMessage(ctx, input)),

  markRead: reader
    .input(markInput)
    .output(done)
    .mutation(quiet(({ ctx, input }) => markRead(ctx, input))),

  reply: creator('mail:write')
    .input(replyInput)
    .output(queuedOutput)
    .mutation(({ ctx, input }) => replyTo(ctx, input)),

  /** The next mail that fits, as soon as it is there; null if none comes in time. */
  wait: reader
    .input(waitInput)
    .output(waitOutput)
    .query(({ ctx, input }) => waitForMail(ctx, input)),

  ...handlingProcedures,

  attachment: reader
    .input(messageInput.extend({ index: z.int().min(0) }))
    .output(attachmentRecord)
    .query(({ ctx, input }) => findAttachment(ctx, input)),

  /** The message as it came: where its bytes are. */
  raw: reader
    .input(originalInput)
    .output(delivery)
    .query(({ ctx, input }) => readOriginal(ctx, input)),

  send: admin('mail:write')
    .input(sendInput)
    .output(queuedOutput)
    .mutation(({ ctx, input }) => sendMail(ctx, input)),

  /** What the caller's account has sent, and what became of it for each recipient. */
  sent: signedIn('mail:read')
    .input(sentInput)
    .output(sentPage)
    .query(({ ctx, input }) => sentMails(ctx, input)),
});
