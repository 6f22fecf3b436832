import { z } from 'zod';
import type { Content } from '../../../db/content/content.js';
import { isUnavailable } from '../../../db/content/life.js';
import { fail, found } from '../../base/errors.js';
import { KINDS, type Kind } from '../../base/kinds.js';
import { changedExpiryInput } from '../../base/text/dates.js';
import { accountOf } from '../../core/accounts/people.js';
import type { Context } from '../../core/context.js';
import { discard } from '../../core/items/discard.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { isDeletionToken } from '../../core/items/links.js';
import { may, requireAllowed } from '../../core/policies.js';
import { requireUnpausedOwner } from '../../core/quotas/spend.js';
import { requireCaller } from '../../core/trpc.js';
import { ENDED, ITEM_ACTIONS } from '../items.js';

const token = z.string().max(200);

/** An item, and the secret of its deletion link, which only its creator got. */
export const deletionInput = z.object({ kind: z.enum(KINDS), uniqueId: uniqueIdInput, token });

/** As `deletionInput`; without a secret the caller's account is checked. */
export const deletableInput = deletionInput.extend({ token: token.nullable().default(null) });

/** Deletes an item by its deletion link; 404 for a wrong token as for an unknown item. */
export async function deleteByLink(ctx: Context, input: z.output<typeof deletionInput>): Promise<void> {
  const item = await linkedItem(ctx, input);
  await requireUnpausedOwner(ctx.app.db.read, item.ownerId);
  await discard(ctx.app, input.kind, item, { by: null });
}

/** As `deletionInput`, with the moment when the item ends. */
export const endingInput = deletionInput.extend({ expiresAt: changedExpiryInput });

/** Gives an item another end by its deletion link; 404 as for `deleteByLink`. */
export async function endByLink(
  ctx: Context,
  { kind, uniqueId, token, expiresAt }: z.output<typeof endingInput>,
): Promise<void> {
  const { app } = ctx;
  const item = await linkedItem(ctx, { kind, uniqueId, token });
  await requireUnpausedOwner(app.db.read, item.ownerId);
  const { id, username, role } = await accountOf(app, item.ownerId);
  const owner = { ...{ id, username, role, active: true, language: null, hasWebhook: true }, pause: null };
  const asOwner = { ...ctx, account: { ...owner, sessionId: null, key: null } };
  await ENDED[kind](asOwner, { uniqueId: item.uniqueId, newId: null, expiresAt });
}

/** The name of an item, and whether the caller owns it. */
export const deletable = z.object({ name: z.string(), own: z.boolean() });

/**
 * Describes an item that the caller may delete, by its secret or as its owner or a moderator. Refuses like
 * the deletion itself, except that anonymous callers learn first that an item is unknown. Has no side
 * effects: a burn-after-reading paste stays, and no view is counted.
 */
export async function describeDeletable(
  ctx: Context,
  { kind, uniqueId, token }: z.output<typeof deletableInput>,
): Promise<z.output<typeof deletable>> {
  const item =
    token === null
      ? found(await ctx.app.load[kind](uniqueId))
      : await linkedItem(ctx, { kind, uniqueId, token });
  if (token === null) await requireRight(ctx, kind, item);
  return {
    name: (await ITEM_ACTIONS[kind].nameOf(ctx.app, uniqueId)) ?? uniqueId,
    own: (await ctx.caller())?.id === item.ownerId,
  };
}

async function linkedItem(
  { app }: Context,
  { kind, uniqueId, token }: z.output<typeof deletionInput>,
): Promise<Content> {
  const item = found(await app.load[kind](uniqueId));
  return isDeletionToken(app, kind, item, token) ? item : fail('NOT_FOUND');
}

async function requireRight(ctx: Context, kind: Kind, item: Content): Promise<void> {
  if (isUnavailable(item) && !(await may(ctx, 'remove', kind, item))) fail('NOT_FOUND');
  requireAllowed(await requireCaller(ctx), 'remove', kind, item);
}
