import type { Queryable } from '../../../../db/engine/queryable.js';
import { insertAttachments, type MailAttachment } from '../../../../db/mail/mail-attachment.js';
import {
  insertMessage,
  type MailContent,
  type MailMessage,
  mailboxUsage,
  rememberMessage,
} from '../../../../db/mail/mail-message.js';
import type { Mailbox } from '../../../../db/mail/mailbox.js';
import { cutText } from '../../../base/text/cut.js';
import { sanitisedToText } from '../../../base/text/html-text.js';
import type { Services } from '../../../core/context.js';
import { emitEach } from '../../../core/webhook/emit.js';
import { mailItem } from '../../../core/webhook/events.js';
import { isFull } from '../bounds.js';
import { applyRules } from '../rules.js';
import { queueForwards } from './forwarding.js';

/** So much of a mail is looked through, and so much of it is kept, in UTF-16 units. */
const LOOKED_THROUGH = 16_384;
const KEPT = 200;

/** The first words of a mail in one line, without what it quotes. */
function beginningOf({ text, html }: Pick<MailContent, 'text' | 'html'>): string {
  const part = (whole: string): string => whole.slice(0, LOOKED_THROUGH);
  const looked = text.trim() === '' ? sanitisedToText(wholeTags(part(html ?? ''))) : part(text);
  const own = looked.split('\n').filter((line) => !line.startsWith('>'));
  return cutText(own.join(' ').replace(/\s+/g, ' ').trim(), KEPT);
}

/** HTML that was cut, up to its last whole tag. */
const wholeTags = (html: string): string => html.slice(0, html.lastIndexOf('>') + 1);

/** A mail for one mailbox. */
type Delivered = Omit<MailMessage, 'id' | 'mailboxId' | 'unread' | 'tags'> & {
  readonly attachments: readonly MailAttachment[];
};

/** What became of it: `dropped` by a rule, `known` if the mailbox has or had it already. */
interface Delivery {
  readonly outcome: 'stored' | 'dropped' | 'full' | 'known';
  readonly mailId: number | null;
}

/** Puts a mail into a locked mailbox, as its rules say, and queues what they ask for. */
export async function deliver(
  app: Services,
  trx: Queryable,
  mailbox: Mailbox,
  { attachments, ...mail }: Delivered,
): Promise<Delivery> {
  const { content, codes, messageId, size } = mail;
  const ruled = applyRules(mailbox, { ...content, codes, files: attachments.length });
  if (ruled.deleted) {
    const isNew = await rememberMessage(trx, { ...mail, mailboxId: mailbox.id });
    if (isNew) await announce(app, trx, mailbox, mail, ruled.announced);
    return { outcome: isNew ? 'dropped' : 'known', mailId: null };
  }
  const usage = await mailboxUsage(trx, mailbox.id);
  if (isFull(mailbox, usage, size + (mail.original?.size ?? 0))) {
    app.log.warn({ mailboxId: mailbox.id, ...usage }, 'a mail was rejected: its mailbox is full');
    return { outcome: 'full', mailId: null };
  }
  const { unread, tags, targets } = ruled;
  const mailId = await insertMessage(trx, {
    ...mail,
    ...{ mailboxId: mailbox.id, unread, tags, beginning: beginningOf(content) },
  });
  if (mailId === null) return { outcome: 'known', mailId };
  await insertAttachments(trx, mailId, attachments);
  await queueForwards(app, trx, mailbox, { id: mailId, messageId, content }, targets);
  await announce(app, trx, mailbox, mail, ruled.announced);
  return { outcome: 'stored', mailId };
}

/** Tells the webhook of its owner, if it names such events or a rule asks for it. */
async function announce(
  app: Services,
  trx: Queryable,
  { ownerId, address }: Mailbox,
  mail: Omit<Delivered, 'attachments'>,
  asked: boolean,
): Promise<void> {
  if (ownerId === null) return;
  const link = `${app.settings.origin}/web/mailboxes/${encodeURIComponent(address)}`;
  const item = mailItem(link, { ...mail, subject: mail.content.subject });
  await emitEach(app, trx, ownerId, 'mail.received', [item], { asked });
}
