import { z } from 'zod';
import { lookupId } from '../../db/content/content.js';
import type { Domain } from '../../db/content/link/domain.js';
import { shortIdHolders } from '../../db/content/short-ids.js';
import { fail, unlessRemoved } from '../base/errors.js';
import { readAddress } from '../base/item-address.js';
import { KINDS, leadsOn } from '../base/kinds.js';
import { idOnDomain } from '../base/link-domain.js';
import { isSlug, slugsIn } from '../base/slug.js';
import type { Context } from '../core/context.js';
import { activeAt } from '../core/items/domains.js';
import { webUrl } from '../core/items/links.js';
import { canonicalHost, kindsAt } from '../core/items/short-hosts.js';
import { may } from '../core/policies.js';
import { asLocation } from '../features/link/target.js';
import { fallbackOf, type VisitResult, visitInput } from '../features/link/visits/visit.js';
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
  const { kind, uniqueId } = await meant(ctx, input, await activeAt(ctx.app, input.host ?? null));
  return { kind, uniqueId };
}

async function meant(
  ctx: Context,
  input: z.output<typeof resolveInput>,
  domain: Domain | null,
): Promise<z.output<typeof resolved> & { readonly isHidden: boolean; readonly rest?: string }> {
  const { app } = ctx;
  const kinds = kindsAt(app.settings, input.host == null ? null : canonicalHost(input.host));
  // The id of a link may end like that of a file.
  const meanings = [
    ...slugsIn(input.uniqueId).map((slug) => ({ uniqueId: idOnDomain(domain, slug), extension: null })),
    ...(domain === null ? [readAddress(input.uniqueId)] : []),
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
  const domain = await activeAt(ctx.app, input.host ?? null);
  const found = (await unlessRemoved(meant(ctx, input, domain))) ?? (await withRest(ctx, input, domain));
  if (found === null) return elsewhere(ctx, input, domain);
  const { kind, uniqueId, isHidden, rest = '' } = found;
  // Its page says why it is in quarantine; nobody is led on, and nothing is counted.
  if (isHidden) return uncounted(webUrl(ctx.app, kind, uniqueId));
  return FOLLOWED[kind](ctx, { ...input, uniqueId, rest });
}

/** The longest link at the beginning of a path that passes on what follows it, and that; null for none. */
async function withRest(ctx: Context, input: z.output<typeof followInput>, domain: Domain | null) {
  const parts = input.uniqueId.split('/');
  const behind = parts.slice(1);
  if (behind.length === 0 || behind.some((part) => part === '.' || part === '..')) return null;
  const ids = behind
    .map((_, index) => parts.slice(0, parts.length - 1 - index).join('/'))
    .filter((text) => isSlug(text.normalize('NFC')));
  const links = await Promise.all(ids.map((id) => ctx.app.load.url(idOnDomain(domain, id))));
  const at = links.findIndex((link) => link?.way.forwardPath === true);
  const uniqueId = ids[at];
  if (uniqueId === undefined) return null;
  const found = await unlessRemoved(meant(ctx, { ...input, uniqueId }, domain));
  return found !== null && leadsOn(found.kind)
    ? { ...found, rest: input.uniqueId.slice(uniqueId.length + 1) }
    : null;
}

/** Where a link leads that is over, and one that nobody has; 404 if nobody has said. */
async function elsewhere(
  ctx: Context,
  input: z.output<typeof followInput>,
  domain: Domain | null,
): Promise<VisitResult> {
  const { app } = ctx;
  if (domain !== null) {
    for (const slug of slugsIn(input.uniqueId)) {
      const id = idOnDomain(domain, slug);
      const fallback = await fallbackOf(ctx, id);
      if (fallback !== null) return fallback;
      if ((await app.load.url(id)) !== null) fail('NOT_FOUND');
    }
    return domain.fallbackUrl === null ? fail('NOT_FOUND') : uncounted(asLocation(domain.fallbackUrl));
  }
  const ids = [...new Set([...slugsIn(input.uniqueId), readAddress(input.uniqueId).uniqueId])];
  for (const id of ids) {
    const fallback = await fallbackOf(ctx, id);
    if (fallback !== null) return fallback;
    for (const kind of KINDS) if ((await app.load[kind](id)) !== null) fail('NOT_FOUND');
  }
  const unknownUrl = (await app.load.look('look'))?.unknownUrl ?? null;
  return unknownUrl === null ? fail('NOT_FOUND') : uncounted(asLocation(unknownUrl));
}
