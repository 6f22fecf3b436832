import { z } from 'zod';
import { iso } from '../../../base/text/dates.js';
import { planTransfer, transferInput } from '../../../base/transfer.js';
import type { Context } from '../../../core/context.js';
import { open, quiet, router } from '../../../core/trpc.js';
import { type ContentDelivery, delivery } from '../../image/public.js';
import { seenMailboxes } from '../access.js';
import { findAttachment, messageInput } from '../read.js';
import { changeInput, changeMails } from './change.js';
import {
  countInboxes,
  findInput,
  findMails,
  foundPage,
  locatedRecord,
  locateInput,
  locateMail,
} from './find.js';

/** A type that a header can have. */
const PLAIN_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** An attachment of a mail whose bytes are wanted, or a part of them. */
const partInput = messageInput.extend({ index: z.int().min(0), transfer: transferInput });

/** The bytes of an attachment, as a download; 404 if it does not exist or its bytes are missing. */
async function deliverPart(ctx: Context, input: z.output<typeof partInput>): Promise<ContentDelivery> {
  const { filename, contentType, size, sha256 } = await findAttachment(ctx, input);
  return {
    ...{ as: 'bytes', sha256, size, disposition: 'attachment', filename, uploader: null },
    mimeType: PLAIN_TYPE.test(contentType) ? contentType : 'application/octet-stream',
    ...{ shared: false, open: false, facts: { size, type: '' } },
    plan: planTransfer(input.transfer, `"${sha256}"`, size),
  };
}

const done = z.object({});
/** For whoever has an account or shows the token of a mailbox; knows the mailboxes that this caller sees. */
const reader = open('mail:read', 'whilePaused').use(async ({ ctx, next }) =>
  next({ ctx: { mailboxes: await seenMailboxes(ctx) } }),
);
const remover = open('mail:write').use(async ({ ctx, next }) =>
  next({ ctx: { mailboxes: await seenMailboxes(ctx) } }),
);

/** The mails of all mailboxes that a caller sees, as if they were in one. */
export const inboxesRouter = router({
  /** How many mails there are, and how many of them are unread. */
  count: reader
    .output(z.object({ messages: z.int(), unread: z.int(), at: z.iso.datetime() }))
    .query(async ({ ctx }) => ({ ...(await countInboxes(ctx.app, ctx.mailboxes)), at: iso(Date.now()) })),

  /** The mails that fit a search, newest first. */
  find: reader
    .input(findInput)
    .output(foundPage)
    .query(({ ctx, input }) => findMails(ctx, ctx.mailboxes, input)),

  /** Which mail of which mailbox has this id, or is the newest. */
  locate: reader
    .input(locateInput)
    .output(locatedRecord)
    .query(({ ctx, input }) => locateMail(ctx, ctx.mailboxes, input)),

  /** An attachment, by its index from 0: where its bytes are. */
  part: reader
    .input(partInput)
    .output(delivery)
    .query(({ ctx, input }) => deliverPart(ctx, input)),

  /** Marks mails as read or unread: those with these ids that fit a search, without either all. */
  mark: reader
    .input(changeInput.extend({ read: z.boolean().default(false) }))
    .output(done)
    .mutation(quiet(({ ctx, input }) => changeMails(ctx, ctx.mailboxes, input, { read: input.read }))),

  /** Deletes mails: those with these ids that fit a search, without either all. */
  remove: remover
    .input(changeInput)
    .output(done)
    .mutation(quiet(({ ctx, input }) => changeMails(ctx, ctx.mailboxes, input, 'remove'))),
});
