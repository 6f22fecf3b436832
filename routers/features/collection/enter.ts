import {
  type Collection,
  collectionById,
  countCollectionView,
} from '../../../db/content/collection/collection.js';
import {
  type ShareLink,
  shareLinkBySecret,
  takeShareView,
} from '../../../db/content/collection/collection-link.js';
import { isUnavailable, isUsedUp } from '../../../db/content/life.js';
import { fail, found } from '../../base/errors.js';
import { within } from '../../base/text/within.js';
import { authorise, checkPassword, requireLiving } from '../../core/access.js';
import type { Context, Services } from '../../core/context.js';
import { outageOf } from '../../core/outage.js';
import { may } from '../../core/policies.js';
import { hashSecret } from '../../core/secrets.js';
import { isTicket, type Ticketed, ticketFor } from './ticket.js';

/** What a caller shows to be let in. */
export interface Shown {
  readonly password?: string | null | undefined;
  /** From an earlier opening. */
  readonly ticket?: string | null | undefined;
}

/**
 * How a caller came in: as the owner or a moderator, by a share link, or because the collection is open to everybody
 * or to those with its password.
 */
export type Way = 'privileged' | 'share' | 'open';

/** A collection that the caller may see. */
export interface Entered {
  readonly collection: Collection;
  readonly way: Way;
  readonly link: ShareLink | null;
}

const ticketOf = (collection: Collection): Ticketed => ({ of: 'collection', ...collection });
const linkTicketOf = (link: ShareLink): Ticketed => ({ of: 'share', ...link });

/**
 * Whether the caller holds a ticket for the collection; 404 if it has ended. Whoever has opened it sees its files also
 * after the last view.
 */
export async function requireThere(
  ctx: Context,
  collection: Collection,
  ticket: string | null | undefined,
): Promise<boolean> {
  const holds = isTicket(ctx.app, ticketOf(collection), ticket);
  await requireLiving(
    ctx,
    'collection',
    collection,
    isUsedUp(collection.views, collection.maxViews) && !holds,
  );
  return holds;
}

/** Lets a caller in to a collection or refuses: 404 if it has ended, 403 if it is private or has another password. */
export async function enterCollection(
  ctx: Context,
  collection: Collection,
  { password, ticket }: Shown = {},
): Promise<Entered> {
  if (await may(ctx, 'open', 'collection', collection)) return { collection, way: 'privileged', link: null };
  const holds = await requireThere(ctx, collection, ticket);
  // A ticket stands for the password; without one a private collection is its owner's.
  if (!holds || (!collection.isPublic && collection.passwordHash === null))
    await authorise(ctx, 'collection', collection, password);
  return { collection, way: 'open', link: null };
}

/** The share link with this secret and its collection; 404 if it was revoked or has ended, 403 without its password. */
export async function enterShare(
  ctx: Context,
  secret: string,
  { password, ticket }: Shown = {},
): Promise<Entered & { readonly link: ShareLink }> {
  const { read } = ctx.app.db;
  const link = found(await shareLinkBySecret(read, hashSecret(secret)));
  const collection = found(await collectionById(read, link.collectionId));
  const entered = { collection, link, way: 'share' } as const;
  if (await may(ctx, 'open', 'collection', collection)) return entered;
  if (collection.quarantine !== null) fail('NOT_FOUND');
  const holds = isTicket(ctx.app, linkTicketOf(link), ticket);
  if (isUnavailable(link) || (isUsedUp(link.views, link.maxViews) && !holds)) fail('NOT_FOUND');
  if (holds || link.passwordHash === null) return entered;
  if (password === undefined || password === null || password === '') fail('PASSWORD_REQUIRED');
  await checkPassword(ctx, 'share', link, password);
  return entered;
}

/** Whether an opening uses up a view, which `head` does not: then its ticket would open the files for nothing. */
const countsViews = ({ collection, link, way }: Entered): boolean =>
  way !== 'privileged' && (link ?? collection).maxViews !== null;

/** Whether `head` asks about an opening that uses up a view: without using it up, nobody is told which files there are. */
export const isOnlyAsked = (entered: Entered, head: boolean): boolean => head && countsViews(entered);

/** Whether files need proof that the collection or link was opened: the address alone says nothing about it. */
const needsTicket = ({ collection, link, way }: Entered): boolean => {
  if (way === 'privileged') return false;
  const { passwordHash, maxViews } = link ?? collection;
  return passwordHash !== null || maxViews !== null;
};

/** Lets a caller in to the files: those of what has counted views only with a ticket from an opening. */
export async function enterForFiles(ctx: Context, entered: Entered, { ticket }: Shown): Promise<Entered> {
  if (!mayStep(ctx, entered, ticket) && !(await may(ctx, 'open', 'collection', entered.collection)))
    fail('NOT_FOUND');
  return entered;
}

/** How something is opened. */
interface Opening {
  /** Only asks; counts no view. */
  readonly head?: boolean;
  /** The part of the files that is shown; all without one. */
  readonly part?: { readonly page: number } | null | undefined;
  readonly ticket?: string | null | undefined;
}

const subjectOf = ({ collection, link }: Entered): Ticketed =>
  link === null ? ticketOf(collection) : linkTicketOf(link);

/**
 * Whether a part is shown to a caller who has opened the whole before, which counted. A ticket proves that; where none is
 * needed, the later parts are taken for it.
 */
const goesOn = (ctx: Context, entered: Entered, { part, ticket }: Opening): boolean =>
  part != null && (needsTicket(entered) ? isTicket(ctx.app, subjectOf(entered), ticket) : part.page > 0);

/** The ticket for whoever has opened it; null if none is needed. */
const ticketAfter = (ctx: Context, entered: Entered): string | null =>
  needsTicket(entered) ? ticketFor(ctx.app, subjectOf(entered)) : null;

/** Whether the next in a list with counted views may be told: to those who hold the ticket of an opening. */
const mayStep = (ctx: Context, entered: Entered, ticket: string | null | undefined): boolean =>
  !countsViews(entered) || isTicket(ctx.app, subjectOf(entered), ticket);

/**
 * Counts an opening by a share link, exactly; 404 if none is left. Returns the ticket for the files; null if their
 * addresses need none.
 */
export async function openEntered(
  ctx: Context,
  entered: Entered,
  { head = false, ...asked }: Opening = {},
): Promise<string | null> {
  const { collection, link } = entered;
  if (!head && !goesOn(ctx, entered, asked)) {
    if (link === null) await countOpening(ctx, collection);
    else await countShare(ctx, collection, link);
  }
  return isOnlyAsked(entered, head) ? null : ticketAfter(ctx, entered);
}

async function countShare(ctx: Context, collection: Collection, link: ShareLink): Promise<void> {
  if (await may(ctx, 'open', 'collection', collection)) return;
  if (!(await ctx.app.db.write((trx) => takeShareView(trx, link.id, Date.now())))) fail('NOT_FOUND');
}

/**
 * Counts an opening of a collection, exactly if it has a limit; 404 if none is left. False for its owner and
 * moderators, whose openings do not count.
 */
export async function countOpening(ctx: Context, collection: Collection): Promise<boolean> {
  if (await may(ctx, 'open', 'collection', collection)) return false;
  if (collection.maxViews === null) await countUnlimited(ctx.app, collection.id);
  else if (!(await ctx.app.db.write((trx) => countCollectionView(trx, collection.id)))) fail('NOT_FOUND');
  return true;
}

/** How long a request waits for its view to be counted, in milliseconds. No limit depends on the count. */
const PATIENCE_MS = 1_000;

/** If the database is not writable, that is only logged, so that the collection can still be viewed. */
async function countUnlimited(app: Services, id: number): Promise<void> {
  const counting = app.db
    .write((trx) => countCollectionView(trx, id))
    .then((there) => there || fail('NOT_FOUND'))
    .catch((error: unknown) => {
      if (outageOf(error) === null) throw error;
      app.log.warn({ err: error }, 'the view of a playlist could not be counted');
    });
  await within(PATIENCE_MS, counting);
}
