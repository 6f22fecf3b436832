import {
  type Collection,
  collectionById,
  countCollectionView,
  noteCollectionView,
} from '../../../db/content/collection/collection.js';
import { isUsedUp } from '../../../db/content/life.js';
import { fail, found } from '../../base/errors.js';
import { within } from '../../base/text/within.js';
import { authorise, requireLiving } from '../../core/access.js';
import type { Context, Services } from '../../core/context.js';
import { outageOf } from '../../core/outage.js';
import { may } from '../../core/policies.js';
import {
  countLinkView,
  type EnteredLink,
  enterLink,
  findLink,
  holdsTicket,
  linkTicket,
  type Shown,
} from '../../core/sharing/enter.js';
import { isTicket, type Ticketed, ticketFor } from '../../core/sharing/ticket.js';
import { noteOpened } from '../../core/telling/opened.js';
import { type Joined, joined, type Sees, seesOf } from './joined.js';

/**
 * How a caller came in: as the owner, a member or a moderator, by a share link, or because the collection is open to everybody
 * or to those with its password.
 */
type Way = 'privileged' | 'share' | 'open';

/** A collection that the caller may see. */
export interface Entered {
  readonly collection: Collection & Partial<Joined>;
  readonly way: Way;
  readonly sees: Sees;
  /** The share link by which the caller came; null for the collection's own address. */
  readonly by: EnteredLink | null;
}

const ticketOf = (collection: Collection): Ticketed => ({ of: 'collection', ...collection });

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
  const mine = await joined(ctx, collection, ctx.app.db.read);
  if (await may(ctx, 'look', 'collection', mine)) {
    return { collection: mine, way: 'privileged', by: null, sees: seesOf(await ctx.caller()) };
  }
  const holds = await requireThere(ctx, collection, ticket);
  // A ticket stands for the password; without one a private collection is its owner's.
  if (!holds || (!collection.isPublic && collection.passwordHash === null))
    await authorise(ctx, 'collection', collection, password);
  return { collection, way: 'open', by: null, sees: null };
}

/** The collection that the share link with this secret opens; 404 if it was revoked or has ended, 403 without its password. */
export async function enterShare(ctx: Context, secret: string, shown: Shown = {}): Promise<Entered> {
  const link = await findLink(ctx, 'collection', secret);
  const collection = found(await collectionById(ctx.app.db.read, link.of.id));
  return { collection, way: 'share', by: await enterLink(ctx, link, collection, shown), sees: null };
}

/** What is counted when it is opened, and may have a limit. */
const countedIn = ({ collection, by }: Entered) => by?.link ?? collection;

/** Whether an opening uses up a view, which `head` does not: then its ticket would open the files for nothing. */
const countsViews = (entered: Entered): boolean =>
  entered.way !== 'privileged' && countedIn(entered).maxViews !== null;

/** Whether `head` asks about an opening that uses up a view: without using it up, nobody is told which files there are. */
export const isOnlyAsked = (entered: Entered, head: boolean): boolean => head && countsViews(entered);

/** Whether files need proof that the collection or link was opened: the address alone says nothing about it. */
const needsTicket = (entered: Entered): boolean => {
  if (entered.way === 'privileged') return false;
  const { passwordHash, maxViews } = countedIn(entered);
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

const holdsTicketOf = (
  ctx: Context,
  { collection, by }: Entered,
  ticket: string | null | undefined,
): boolean =>
  by === null ? isTicket(ctx.app, ticketOf(collection), ticket) : holdsTicket(ctx, by.link, ticket);

/**
 * Whether a part is shown to a caller who has opened the whole before, which counted. A ticket proves that; where none is
 * needed, the later parts are taken for it.
 */
const goesOn = (ctx: Context, entered: Entered, { part, ticket }: Opening): boolean =>
  part != null && (needsTicket(entered) ? holdsTicketOf(ctx, entered, ticket) : part.page > 0);

/** The ticket for whoever has opened it; null if none is needed. */
function ticketAfter(ctx: Context, entered: Entered): string | null {
  if (!needsTicket(entered)) return null;
  return entered.by === null
    ? ticketFor(ctx.app, ticketOf(entered.collection))
    : linkTicket(ctx, entered.by.link);
}

/** Whether the next in a list with counted views may be told: to those who hold the ticket of an opening. */
const mayStep = (ctx: Context, entered: Entered, ticket: string | null | undefined): boolean =>
  !countsViews(entered) || holdsTicketOf(ctx, entered, ticket);

/**
 * Counts an opening by a share link, exactly; 404 if none is left. Returns the ticket for the files; null if their
 * addresses need none.
 */
export async function openEntered(
  ctx: Context,
  entered: Entered,
  { head = false, ...asked }: Opening = {},
): Promise<string | null> {
  const { collection, by } = entered;
  if (!head && !goesOn(ctx, entered, asked)) {
    if (by === null) await countOpening(ctx, entered);
    // Who comes again with a ticket opens it again.
    else if (
      await countLinkView(ctx, { ...by, holds: false }, async (trx) => {
        await noteCollectionView(trx, collection.id);
        return true;
      })
    )
      noteOpened(ctx, 'collection', collection, by);
  }
  return isOnlyAsked(entered, head) ? null : ticketAfter(ctx, entered);
}

/**
 * Counts an opening of a collection, exactly if it has a limit; 404 if none is left. False for its owner, members and
 * moderators, whose openings do not count.
 */
export async function countOpening(
  ctx: Context,
  { collection, way }: Pick<Entered, 'collection' | 'way'>,
): Promise<boolean> {
  if (way === 'privileged') return false;
  if (collection.maxViews === null) await countUnlimited(ctx.app, collection.id);
  else if (!(await ctx.app.db.write((trx) => countCollectionView(trx, collection.id)))) fail('NOT_FOUND');
  noteOpened(ctx, 'collection', collection);
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
