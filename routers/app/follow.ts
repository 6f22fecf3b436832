import { z } from 'zod';
import { lookupId } from '../../db/content/content.js';
import { shortIdHolders } from '../../db/content/short-ids.js';
import { fail } from '../base/errors.js';
import { readAddress } from '../base/item-address.js';
import { KINDS } from '../base/kinds.js';
import { slugsIn } from '../base/slug.js';
import type { Context } from '../core/context.js';
import { webUrl } from '../core/items/links.js';
import { canonicalHost, kindsAt } from '../core/items/short-hosts.js';
import { may } from '../core/policies.js';
import { type VisitResult, visitInput } from '../features/link/visit.js';
import { FOLLOWED, ITEM_ACTIONS, uncounted } from './items.js';

/** An id as it arrives in a short link, and the host of the request. */
export const resolveInput = visitInput.pick({ uniqueId: true }).extend({ host: z.string().nullish() });

/** The item that a short link means. */
export const resolved = z.object({ kind: z.enum(KINDS), uniqueId: z.string() });

/** The input of a visit, the host of the request, and whether a program wants the text of a paste, not its page. */
export const followInput = visitInput.extend({
  host: z.string().nullish(),
  prefersText: z.boolean().nullish(),
});

/**
 * Finds the oldest living item with this id, on a short host only among the kinds of that host; 404 if there is none.
 * What is in quarantine exists for its owner and moderators only.
 * `ID.ext` is an image with its own extension.
 */
export async function resolve(
  ctx: Context,
  input: z.output<typeof resolveInput>,
): Promise<z.output<typeof resolved>> {
  const { kind, uniqueId } = await meant(ctx, input);
  return { kind, uniqueId };
}

async function meant(
  ctx: Context,
  input: z.output<typeof resolveInput>,
): Promise<z.output<typeof resolved> & { readonly isHidden: boolean }> {
  const { app } = ctx;
  const kinds = kindsAt(app.settings, input.host == null ? null : canonicalHost(input.host));
  // The id of a link may end like that of a file.
  const meanings = [
    ...slugsIn(input.uniqueId).map((uniqueId) => ({ uniqueId, extension: null })),
    readAddress(input.uniqueId),
  ];
  const keys = [...new Set(meanings.map(({ uniqueId }) => lookupId(uniqueId)))];
  const holders = await shortIdHolders(app.db, app.db.read, keys, Date.now());
  for (const { uniqueId, extension } of meanings)
    for (const holder of holders) {
      const { kind, quarantine } = holder;
      if (holder.lookupId !== lookupId(uniqueId) || !kinds.includes(kind)) continue;
      const isHidden = quarantine !== null;
      if (isHidden && !(await may(ctx, 'open', kind, holder))) continue;
      if (extension !== null) await ITEM_ACTIONS[kind].checkExtension(app, uniqueId, extension);
      return { kind, uniqueId, isHidden };
    }
  return fail('NOT_FOUND');
}

/**
 * Follows a short link. A link counts as visited; images and pastes redirect to their page, or to the text, which has
 * its own access rules.
 */
export async function follow(ctx: Context, input: z.output<typeof followInput>): Promise<VisitResult> {
  const { kind, uniqueId, isHidden } = await meant(ctx, input);
  // Its page says why it is in quarantine; nobody is led on, and nothing is counted.
  if (isHidden) return uncounted(webUrl(ctx.app, kind, uniqueId));
  return FOLLOWED[kind](ctx, { ...input, uniqueId });
}
