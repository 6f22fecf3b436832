import { z } from 'zod';
import { isUnavailable, isUsedUp, type Mortal } from '../../../db/content/life.js';
import { type FoundShareLink, shareLinkBySecret, takeShareView } from '../../../db/content/share-link.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import type { SharedKind } from '../../base/kinds.js';
import { checkPassword } from '../access.js';
import type { Context } from '../context.js';
import { shownPasswordInput } from '../items/item-password.js';
import { may, type Owned } from '../policies.js';
import { hashSecret } from '../secrets.js';
import { isTicket, type Ticketed, ticketFor } from './ticket.js';

/** What a caller shows to be let in: a password, or the ticket of an earlier opening. */
export const shownInput = { password: shownPasswordInput, ticket: z.string().max(400).nullish() };
export type Shown = Partial<z.output<z.ZodObject<typeof shownInput>>>;

/** The secret of a share link, and what is shown with it. */
export const sharedInput = z.object({ secret: z.string().min(1).max(200), ...shownInput });

/** A share link that let somebody in. */
export interface EnteredLink {
  readonly link: FoundShareLink;
  /** It is its owner or a moderator, whose openings are not counted. */
  readonly privileged: boolean;
  /** Who has opened it before, which was counted. */
  readonly holds: boolean;
}

/** Whether the link shows its reader pictures in a smaller size only. */
export const showsLess = (by: EnteredLink | null): boolean =>
  by?.privileged === false && by.link.renditionsOnly;

/** The share link with this secret; 404 if it was revoked, or opens something of another kind. */
export async function findLink(ctx: Context, kind: SharedKind, secret: string): Promise<FoundShareLink> {
  const link = found(await shareLinkBySecret(ctx.app.db.read, hashSecret(secret)));
  return link.of.kind === kind ? link : fail('NOT_FOUND');
}

const ticketed = ({ id, passwordHash }: FoundShareLink): Ticketed => ({ of: 'share', id, passwordHash });

/**
 * Lets a caller in by a share link, whatever the privacy and the password of what it opens: 404 if the link has ended or
 * a moderator keeps its item from others, 403 without the password of the link.
 */
export async function enterLink(
  ctx: Context,
  link: FoundShareLink,
  item: Mortal & Owned,
  { password, ticket }: Shown,
): Promise<EnteredLink> {
  const privileged = await may(ctx, 'open', link.of.kind, item);
  const holds = isTicket(ctx.app, ticketed(link), ticket);
  if (privileged) return { link, privileged, holds };
  if ((item.quarantine ?? null) !== null) fail('NOT_FOUND');
  if (isUnavailable(link) || (isUsedUp(link.views, link.maxViews) && !holds)) fail('NOT_FOUND');
  if (holds || link.passwordHash === null) return { link, privileged, holds };
  if (password === undefined || password === null || password === '') fail('PASSWORD_REQUIRED');
  await checkPassword(ctx, 'share', link, password);
  return { link, privileged, holds };
}

/** The ticket for whoever has opened a share link. */
export const linkTicket = (ctx: Context, link: FoundShareLink): string => ticketFor(ctx.app, ticketed(link));

/** Whether this is the ticket of an opening of the share link. */
export const holdsTicket = (ctx: Context, link: FoundShareLink, ticket: string | null | undefined): boolean =>
  isTicket(ctx.app, ticketed(link), ticket);

/**
 * Counts an opening by a share link, exactly, with what else is counted in the same transaction; 404 if none is left, and
 * then nothing is counted.
 */
export async function countLinkView(
  ctx: Context,
  { link, privileged, holds }: EnteredLink,
  also: (trx: Queryable) => Promise<boolean> = async () => true,
): Promise<boolean> {
  if (privileged || holds) return false;
  await ctx.app.db.write(async (trx) => {
    if (!(await takeShareView(trx, link.id, Date.now())) || !(await also(trx))) fail('NOT_FOUND');
  });
  return true;
}
