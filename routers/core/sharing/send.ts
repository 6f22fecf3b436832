import { z } from 'zod';
import { insertShareLink, lockShared, type ShareLink, shareLinksOf } from '../../../db/content/share-link.js';
import { fail } from '../../base/errors.js';
import { localizableOfRule } from '../../base/language/rules.js';
import { MailRefused } from '../../base/ports/mail/mail.js';
import { isAdmin } from '../../base/roles.js';
import { accountOf } from '../accounts/people.js';
import { mailsOf } from '../branding/branding.js';
import type { AccountContext, Services } from '../context.js';
import { uniqueIdInput } from '../items/ids.js';
import { queueSending } from '../mail/outgoing.js';
import { takeAll } from '../rate-limits.js';
import { hashSecret, newSecret } from '../secrets.js';
import { type FindSharing, requireRoom, shareLinkRecord, shareUrl, toShareLink } from './links.js';

const address = z.string().trim().min(3).max(320);

/** To whom a link of something is sent, and what is said with it. */
export const sendLinksInput = z.object({
  uniqueId: uniqueIdInput,
  to: z
    .union([address.transform((one) => [one]), z.array(address)])
    .refine(({ length }) => length >= 1 && length <= 20, 'name 1 to 20 addresses'),
  message: z.string().trim().max(2_000, 'a message can have at most 2000 characters').nullish(),
  /** Whether answers go to the address of the account. */
  replyTo: z.boolean().nullish(),
  /** Whether each gets a link of their own, which is counted and revoked by itself. */
  own: z.boolean().nullish(),
});

/** How many mails are on their way, and with which links. */
export const sentLinks = z.object({ sent: z.int(), links: z.array(shareLinkRecord) });

/**
 * Mails a new share link of something of the caller, to each address by itself, all or none; 409 where no mail leaves
 * this installation, 429 beyond the mails of a day.
 */
export async function sendLinks(
  ctx: AccountContext,
  find: FindSharing,
  input: z.output<typeof sendLinksInput>,
): Promise<z.output<typeof sentLinks>> {
  const { app, account } = ctx;
  const sharing = await find(ctx, input.uniqueId);
  const refusal = sharing.refuses({ renditionsOnly: false });
  if (refusal !== null) fail('INVALID', refusal);
  const to = [...new Map(input.to.map((one) => [one.toLowerCase(), one])).values()];
  const owner = await accountOf(app, account.id);
  const headers = input.replyTo === true ? { 'Reply-To': owner.email } : {};
  const { sender } = to.map((one) => checked(app, one, headers))[0] ?? fail('INVALID');
  if (app.mail.transport.label === null) fail('MAIL_OFF');
  if (!isAdmin(account.role))
    await takeAll(
      app.limits.rates,
      to.map(() => ['linkMails', String(account.id)] as const),
    );
  const links = await app.db.write(async (trx) => {
    if (!(await lockShared(app.db, trx, sharing))) fail('NOT_FOUND');
    const labels = input.own === true ? to : [to.length === 1 ? (to[0] ?? null) : null];
    requireRoom((await shareLinksOf(trx, sharing)).length + labels.length);
    const made: ShareLink[] = [];
    for (const label of labels) made.push(await insertNamed(app, trx, sharing, label));
    const mails = await mailsOf(app, trx, owner);
    for (const [index, recipient] of to.entries()) {
      const link = made[input.own === true ? index : 0] ?? fail('NOT_FOUND');
      const mail = mails.linkShared({
        username: owner.username,
        message: input.message || null,
        link: shareUrl(app, link),
      });
      await queueSending(app, trx, { ...mail, to: recipient, headers }, [recipient], {
        ...{ accountId: owner.id, mailboxId: null, kind: 'WRITTEN', about: null },
        sender: sender.toLowerCase(),
      });
    }
    return made;
  });
  app.jobs.kick();
  return { sent: to.length, links: links.map((link) => toShareLink(app, link)) };
}

/** A new link without a limit, called like the address that gets it. */
function insertNamed(
  app: Services,
  trx: Parameters<typeof insertShareLink>[0],
  { kind, id }: Awaited<ReturnType<FindSharing>>,
  label: string | null,
): Promise<ShareLink> {
  const secret = newSecret();
  return insertShareLink(trx, {
    ...{ passwordHash: null, expiresAt: null, maxViews: null, renditionsOnly: false, notify: 'none' },
    ...{ of: { kind, id }, label, createdAt: Date.now() },
    secretHash: hashSecret(secret),
    secretCipher: app.secrets.encrypt(secret),
  });
}

/** The envelope of a mail to one address; 400 for what is none, or more than one. */
function checked(app: Services, to: string, headers: Readonly<Record<string, string>>) {
  try {
    const envelope = app.mail.check({ to, subject: '', text: '', headers });
    return envelope.recipients.length === 1 ? envelope : fail('INVALID', 'to: write each address by itself');
  } catch (error) {
    if (error instanceof MailRefused)
      fail('INVALID', { message: localizableOfRule(error.message), cause: error });
    throw error;
  }
}
