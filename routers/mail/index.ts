import { z } from 'zod';
import { listMailboxes, mailboxesOf } from '../../db/mail/mailbox.js';
import { recordsOf } from '../shared/paging.js';
import { admin, creator, open, openToAnyText, router, signedIn } from '../trpc.js';
import { inboundInput, receiveMail } from './inbound.js';
import { endInput } from './lifetime.js';
import {
  addressInput,
  createInput,
  createMailbox,
  moveEnd,
  ownMailbox,
  readableMailbox,
  requireReader,
} from './mailboxes.js';
import { missingInput, missingMail, missingOutput } from './missing.js';
import {
  attachmentRecord,
  findAttachment,
  inboxInput,
  inboxPage,
  messageInput,
  readInbox,
  readInput,
  readMessage,
} from './read.js';
import { mailboxRecord, messageRecord, toMailboxRecord } from './record.js';
import { deleteOwn, emptyMailbox, removeMessage } from './remove.js';
import { sendInput, sendMail } from './send.js';
import { setState } from './state.js';

const byAddress = z.object({ email: addressInput });
/** For callers with an account or a mailbox cookie; the procedure checks which mailbox they may read. */
const reader = open.use(async ({ ctx, next }) => {
  await requireReader(ctx);
  return next();
});
const removed = z.object({ uniqueId: z.null() });

/** E-mail: receiving addresses, their mails, and mails sent by administrators (docs/mail.md). */
export const emailRouter = router({
  create: creator
    .input(createInput)
    .output(mailboxRecord)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.limits.rates.take('create', String(ctx.account.id));
      return toMailboxRecord(ctx.app, await createMailbox(ctx, input));
    }),

  /** The caller's own mailboxes. */
  mine: signedIn.output(z.array(mailboxRecord)).query(async ({ ctx }) => {
    const mailboxes = await mailboxesOf(ctx.app.db.read, ctx.account.id);
    return recordsOf(mailboxes, (mailbox) => toMailboxRecord(ctx.app, mailbox));
  }),

  all: admin
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

  setState: signedIn
    .input(byAddress.extend({ state: z.enum(['OPEN', 'CLOSED', 'SUSPENDED']) }))
    .output(mailboxRecord)
    .mutation(async ({ ctx, input }) => {
      const mailbox = await setState(ctx, await ownMailbox(ctx, input.email), input.state);
      return toMailboxRecord(ctx.app, mailbox);
    }),

  setExpiration: signedIn
    .input(byAddress.extend({ expiresAt: endInput }))
    .output(mailboxRecord)
    .mutation(async ({ ctx, input }) => {
      const mailbox = await ownMailbox(ctx, input.email);
      return toMailboxRecord(ctx.app, await moveEnd(ctx, mailbox, input.expiresAt));
    }),

  delete: signedIn
    .input(byAddress)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await deleteOwn(ctx, await ownMailbox(ctx, input.email));
      return { uniqueId: null };
    }),

  clear: signedIn
    .input(byAddress)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await emptyMailbox(ctx, await ownMailbox(ctx, input.email));
      return { uniqueId: null };
    }),

  deleteMessage: signedIn
    .input(messageInput)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await removeMessage(ctx, await ownMailbox(ctx, input.email), input.messageId);
      return { uniqueId: null };
    }),

  inbound: openToAnyText
    .input(inboundInput)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      await receiveMail(ctx, input);
      return {};
    }),

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

  attachment: reader
    .input(messageInput.extend({ index: z.int().min(0) }))
    .output(attachmentRecord)
    .query(({ ctx, input }) => findAttachment(ctx, input)),

  send: admin
    .input(sendInput)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      await sendMail(ctx.app, input);
      return {};
    }),
});
