import { z } from 'zod';
import { type User, userByUsername } from '../../../../db/account/account.js';
import {
  deleteMember,
  deleteOffer,
  MEMBER_ROLES,
  type Member,
  memberRole as memberRoleOf,
  membersOf,
  offeredTo,
  putMember,
} from '../../../../db/content/collection/collection-member.js';
import type { Queryable } from '../../../../db/engine/queryable.js';
import { fail, found } from '../../../base/errors.js';
import { localizable } from '../../../base/language/localizable.js';
import { contentPageAsked, contentPageInput, toContentPage, windowOf } from '../../../base/paging.js';
import { isShutOut } from '../../../base/roles.js';
import { iso } from '../../../base/text/dates.js';
import { summaryOf, userSummary } from '../../../core/accounts/user-summary.js';
import { audit } from '../../../core/audit.js';
import { mailsOf } from '../../../core/branding/branding.js';
import type { AccountContext, Services } from '../../../core/context.js';
import { queueMail } from '../../../core/mail/outgoing.js';
import { namedInput } from '../fields.js';
import { COLLECTION } from '../forms.js';
import { heldCollection, onHeld } from '../held.js';
import type { Joined } from '../joined.js';

/** The most members that a collection can have. */
const MAX_MEMBERS = 100;

/** What a member may do. */
export const memberRole = z.enum(MEMBER_ROLES);
/** A collection and an account, by its name. */
export const memberInput = namedInput.extend({ username: z.string().trim().min(1).max(200) });
export const newMemberInput = memberInput.extend({ role: memberRole });
export const membersInput = namedInput.extend(contentPageInput.shape);

/** A member of a collection. */
export const memberRecord = z.object({
  username: z.string(),
  user: userSummary,
  role: memberRole,
  /** Whether the collection is offered to this member. */
  offered: z.boolean(),
  createdAt: z.iso.datetime(),
});

const toMember = async (app: Services, { userId, role, createdAt }: Member, offered: boolean) => {
  const user = await summaryOf(app, userId);
  return { username: user.username, user, role, offered, createdAt: iso(createdAt) };
};

/** A page of the members of a collection, for its owner and for them, in the order in which they came. */
export async function listMembers(ctx: AccountContext, input: z.output<typeof membersInput>) {
  const { app } = ctx;
  const { id } = await heldCollection(ctx, input.uniqueId, 'join');
  const asked = contentPageAsked(input);
  const { limit, offset } = windowOf(asked);
  // There are at most `MAX_MEMBERS`.
  const members = await membersOf(app.db.read, id);
  const offered = await offeredTo(app.db.read, id);
  const shown = members.slice(offset, offset + limit);
  const records = await Promise.all(shown.map((each) => toMember(app, each, each.userId === offered)));
  return toContentPage(asked, records, members.length);
}

/** The account with this name that can be let in; 404 for none, and for one that is not active. */
export async function personNamed(db: Queryable, username: string): Promise<User> {
  const user = found(await userByUsername(db, username));
  return user.status === 'ACTIVE' && !isShutOut(user.role) ? user : fail('NOT_FOUND');
}

/** Refuses what cannot be kept together, and its own owner as somebody else. */
export function requireOther(held: Joined, user: Pick<User, 'id'>): void {
  if (held.face === 'pack') fail('INVALID', 'A pack is its owner’s alone');
  if (user.id === held.ownerId) fail('INVALID', 'username: it is the owner of the collection');
}

/** Makes an account a member, who is told by mail, or gives a member another role. Holds with the commit. */
export async function setMember(
  ctx: AccountContext,
  { uniqueId, username, role }: z.output<typeof newMemberInput>,
): Promise<z.output<typeof memberRecord>> {
  const { app, account } = ctx;
  await app.limits.rates.take('create', String(account.id));
  const { id } = await heldCollection(ctx, uniqueId, 'change');
  const { id: userId } = await personNamed(app.db.read, username);
  if ((await memberRoleOf(app.db.read, id, userId)) === null) await takeMail(ctx);
  const made = await onHeld(ctx, { uniqueId }, COLLECTION, 'change', async (trx, held) => {
    const user = await personNamed(trx, username);
    requireOther(held, user);
    const members = await membersOf(trx, held.id);
    const known = members.find(({ userId }) => userId === user.id);
    if (known === undefined && members.length >= MAX_MEMBERS)
      fail(
        'INVALID',
        localizable('A collection can have at most {max} members; remove one first', { max: MAX_MEMBERS }),
      );
    const member = { userId: user.id, role, createdAt: known?.createdAt ?? Date.now() };
    if (await putMember(trx, held.id, member)) await tell(ctx, trx, user, 'membership');
    await audit(ctx, trx, 'member.set', { subject: user.id, info: { collection: held.uniqueId, role } });
    return { member, offered: (await offeredTo(trx, held.id)) === user.id };
  });
  app.jobs.kick();
  return toMember(app, made.member, made.offered);
}

/** Counts a mail to somebody else; 429 beyond those of a day. */
export const takeMail = ({ app, account }: AccountContext) =>
  app.limits.rates.take('linkMails', String(account.id));

/** Mails somebody that a collection is shared with them, or offered; without its title, which is between the two. */
export async function tell(
  { app, account }: AccountContext,
  trx: Queryable,
  user: User,
  what: 'membership' | 'offer',
): Promise<void> {
  const mail = (await mailsOf(app, trx, user)).collectionShared({
    username: user.username,
    owner: account.username,
    isOffer: what === 'offer',
    link: `${app.settings.origin}/web/shared-with-me`,
  });
  await queueMail(app, trx, { ...mail, to: user.email });
}

/** Ends a membership: the owner that of anybody, a member the own one. The files that a member added stay. */
export async function removeMember(
  ctx: AccountContext,
  { uniqueId, username }: z.output<typeof memberInput>,
): Promise<void> {
  const user = await userByUsername(ctx.app.db.read, username);
  const action = user?.id === ctx.account.id ? 'join' : 'change';
  await onHeld(ctx, { uniqueId }, COLLECTION, action, async (trx, held) => {
    if (user === null || !(await deleteMember(trx, held.id, user.id))) return fail('NOT_FOUND');
    await deleteOffer(trx, held.id, user.id);
    await audit(ctx, trx, 'member.removed', { subject: user.id, info: { collection: held.uniqueId } });
  });
}
