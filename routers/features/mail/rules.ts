import { z } from 'zod';
import { userById } from '../../../db/account/account.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { forwardOf } from '../../../db/mail/mail-forward.js';
import type { MailContent } from '../../../db/mail/mail-message.js';
import { type Mailbox, type MailRule, updateMailbox } from '../../../db/mail/mailbox.js';
import { fail } from '../../base/errors.js';
import { rule } from '../../base/language/rules.js';
import { emailInput } from '../../core/accounts/fields.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { MAX_TAGS, tagInput } from '../../core/items/tags.js';
import { requireOutgoing } from '../../core/outgoing.js';
import { requireScope } from '../../core/scopes.js';
import { heldMailbox, lockHeld } from './access.js';
import { addressInput } from './mailboxes.js';
import { requireNoSandbox } from './sandbox.js';

const MAX_RULES = 20;
const MAX_ACTIONS = 10;

const part = z.string().trim().min(1).max(200);
const when = z.strictObject({
  from: part.optional(),
  subject: part.optional(),
  hasAttachment: z.boolean().optional(),
  codes: z.boolean().optional(),
});
const action = z.union(
  [
    z.enum(['read', 'delete']),
    z.strictObject({ tag: tagInput }),
    z.strictObject({ forward: emailInput }),
    z.strictObject({ webhook: z.literal(true) }),
  ],
  { error: 'a rule can do: read, delete, tag, forward, webhook' },
);
const ruleInput = z.strictObject({ when, do: z.array(action).min(1).max(MAX_ACTIONS) });

/** The rules of a mailbox, as they are set and answered. */
export const rulesRecord = z.object({
  rules: z.array(ruleInput).max(MAX_RULES, rule('at most {max} rules', { max: MAX_RULES })),
});
export type RulesRecord = z.output<typeof rulesRecord>;
export const rulesInput = rulesRecord.extend({ email: addressInput });

/** The rules of the caller's mailbox. */
export async function readRules(ctx: AccountContext, address: string): Promise<RulesRecord> {
  const { rules } = await heldMailbox(ctx, address);
  return { rules: rules.map((one) => ({ when: { ...one.when }, do: [...one.do] })) };
}

/**
 * Replaces the rules of the caller's mailbox. They forward only to the address of its account, or to one that has agreed
 * to its forwarding (400), and not from a test inbox (409).
 */
export async function setRules(
  ctx: AccountContext,
  { email, rules }: z.output<typeof rulesInput>,
): Promise<RulesRecord> {
  const targets = rules.flatMap((one) => one.do.flatMap(targetOf));
  // Whoever gets the copies reads the mail.
  if (targets.length > 0) requireScope(ctx.account, 'mail:read');
  if (targets.length > 0) requireOutgoing(ctx.app);
  const { id } = await heldMailbox(ctx, email);
  await ctx.app.db.write(async (trx) => {
    const mailbox = await lockHeld(ctx, trx, id);
    if (targets.length > 0) requireNoSandbox(mailbox);
    for (const target of targets)
      if (!(await hasAgreed(trx, mailbox, target)))
        fail(
          'INVALID',
          'A rule forwards only to the address of your account, or where the mailbox forwards to',
        );
    await updateMailbox(trx, id, { rules });
    if (targets.length > 0)
      await audit(ctx, trx, 'mailbox.forwarded', {
        subject: ctx.account.id,
        info: { mailbox: id, to: [...new Set(targets)].join(', ') },
      });
  });
  return { rules };
}

const targetOf = (one: MailRule['do'][number]): string[] =>
  typeof one === 'object' && 'forward' in one ? [one.forward] : [];

/** Whether mail of a mailbox may be sent on there. */
async function hasAgreed(db: Queryable, mailbox: Mailbox, target: string): Promise<boolean> {
  const forward = await forwardOf(db, mailbox.id);
  if (forward?.confirmed === true && forward.target === target) return true;
  const owner = mailbox.ownerId === null ? null : await userById(db, mailbox.ownerId);
  return owner?.email.toLowerCase() === target.toLowerCase();
}

/** Whether a rule of a mailbox still forwards there. */
export const forwardsByRule = async (db: Queryable, mailbox: Mailbox, target: string): Promise<boolean> =>
  mailbox.rules.some((one) => one.do.flatMap(targetOf).includes(target)) &&
  (await hasAgreed(db, mailbox, target));

/** What the rules of a mailbox make of a mail. */
interface RuledMail {
  readonly unread: boolean;
  readonly tags: readonly string[];
  readonly targets: readonly string[];
  readonly announced: boolean;
  /** A mail that is sent on is kept. */
  readonly deleted: boolean;
}

/** Applies the rules of a mailbox in order; all that fit count. */
export function applyRules(
  { rules }: Pick<Mailbox, 'rules'>,
  mail: Pick<MailContent, 'from' | 'subject'> & { readonly codes: readonly string[]; readonly files: number },
): RuledMail {
  const actions = rules.filter((one) => fits(one.when, mail)).flatMap((one) => one.do);
  const tags = actions.flatMap((one) => (typeof one === 'object' && 'tag' in one ? [one.tag] : []));
  const targets = [...new Set(actions.flatMap(targetOf))];
  return {
    unread: !actions.includes('read'),
    tags: [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()].slice(0, MAX_TAGS),
    targets,
    announced: actions.some((one) => typeof one === 'object' && 'webhook' in one),
    deleted: actions.includes('delete') && targets.length === 0,
  };
}

const fits = (
  { from, subject, hasAttachment, codes }: MailRule['when'],
  mail: Parameters<typeof applyRules>[1],
): boolean =>
  holds(mail.from, from) &&
  holds(mail.subject, subject) &&
  (hasAttachment === undefined || hasAttachment === mail.files > 0) &&
  (codes === undefined || codes === mail.codes.length > 0);

const holds = (whole: string, wanted: string | undefined): boolean =>
  wanted === undefined || whole.toLowerCase().includes(wanted.toLowerCase());
