import { z } from 'zod';
import {
  deleteShareLink,
  insertShareLink,
  lockShared,
  type Shared,
  type ShareLink,
  shareLinksOf,
  updateShareLink,
} from '../../../db/content/share-link.js';
import { fail, found } from '../../base/errors.js';
import { type Localizable, localizable } from '../../base/language/localizable.js';
import { contentPageAsked, contentPageInput, toContentPage, windowOf } from '../../base/paging.js';
import { changedExpiryInput, iso, isoOrNull } from '../../base/text/dates.js';
import type { AccountContext, Services } from '../context.js';
import { uniqueIdInput } from '../items/ids.js';
import { changedPasswordInput, hashItemPassword } from '../items/item-password.js';
import { hashSecret, newSecret } from '../secrets.js';
import { notifyField, notifyInput } from '../telling/input.js';

/** The most share links that one item or collection can have. */
const MAX_LINKS = 200;

const label = z.string().max(500, 'a label can have at most 500 characters').nullish();
const named = z.object({ uniqueId: uniqueIdInput });
const fields = {
  label,
  /** As `label`, under the name that links of collections had first. */
  note: label,
  password: changedPasswordInput.optional(),
  expiresAt: changedExpiryInput.optional(),
  maxViews: z.int().min(1).max(1_000_000_000).nullish(),
  renditionsOnly: z.boolean().nullish(),
  /** Whether its owner is told that it was opened. */
  notify: notifyInput,
};
/** The share links of something, and one of them. */
export const linksInput = named.extend(contentPageInput.shape);
export const newLinkInput = named.extend(fields);
export const linkInput = named.extend({ linkId: z.int().min(1).max(0x7fffffff) });
export const changeLinkInput = linkInput.extend(fields);

/** A share link, as the owner of what it opens sees it. */
export const shareLinkRecord = z.object({
  id: z.int(),
  /** As `id`. */
  linkId: z.int(),
  /** Its page. */
  url: z.url(),
  /** For whom it is; only its owner sees it. */
  label: z.string().nullable(),
  /** As `label`. */
  note: z.string().nullable(),
  requiresPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  maxViews: z.int().nullable(),
  views: z.int(),
  /** Whether it shows pictures with at most 1,600 pixels, and no originals. */
  renditionsOnly: z.boolean(),
  notify: notifyField,
  createdAt: z.iso.datetime(),
});
type ShareLinkRecord = z.output<typeof shareLinkRecord>;

/** What is shared, as far as its links depend on it: found for its owner, for whom they are. */
interface Sharing extends Shared {
  /** Why it cannot have links, if it cannot; a link that shows smaller pictures only may be asked for. */
  refuses(link: { readonly renditionsOnly: boolean }): Localizable | null;
}

/** Finds what a caller shares; refuses who may not. */
export type FindSharing = (ctx: AccountContext, uniqueId: string) => Promise<Sharing>;

/** The page that a share link opens. */
export const shareUrl = (app: Services, { secretCipher }: Pick<ShareLink, 'secretCipher'>): string =>
  `${app.settings.origin}/web/share/${app.secrets.decrypt(secretCipher)}`;

/** A share link in the API. */
export const toShareLink = (app: Services, link: ShareLink): ShareLinkRecord => ({
  id: link.id,
  linkId: link.id,
  url: shareUrl(app, link),
  label: link.label,
  note: link.label,
  requiresPassword: link.passwordHash !== null,
  expiresAt: isoOrNull(link.expiresAt),
  maxViews: link.maxViews,
  views: link.views,
  renditionsOnly: link.renditionsOnly,
  notify: link.notify,
  createdAt: iso(link.createdAt),
});

type Fields = Partial<z.output<typeof changeLinkInput>>;

async function columnsOf(ctx: AccountContext, input: Fields) {
  const { password, expiresAt, maxViews, renditionsOnly, notify } = input;
  const label = input.label === undefined ? input.note : input.label;
  return {
    ...(password === undefined
      ? {}
      : { passwordHash: await hashItemPassword(ctx.app, ctx.account.id, password) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(maxViews === undefined ? {} : { maxViews }),
    ...(notify === undefined ? {} : { notify }),
    ...(renditionsOnly === undefined ? {} : { renditionsOnly: renditionsOnly === true }),
    ...(label === undefined ? {} : { label: label || null }),
  };
}

function requireLinkable(sharing: Sharing, { renditionsOnly }: Fields): void {
  const refusal = sharing.refuses({ renditionsOnly: renditionsOnly === true });
  if (refusal !== null) fail('INVALID', refusal);
}

/** Refuses more links than one thing can have. */
export function requireRoom(links: number): void {
  if (links > MAX_LINKS)
    fail(
      'INVALID',
      localizable('There can be at most {max} share links; revoke one first', { max: MAX_LINKS }),
    );
}

/** Makes a share link of something of the caller; 400 for what cannot have one, and beyond the most. */
export async function createLink(
  ctx: AccountContext,
  find: FindSharing,
  { uniqueId, ...input }: z.output<typeof newLinkInput>,
): Promise<ShareLinkRecord> {
  const { app } = ctx;
  await app.limits.rates.take('create', String(ctx.account.id));
  const sharing = await find(ctx, uniqueId);
  requireLinkable(sharing, input);
  const columns = await columnsOf(ctx, input);
  const secret = newSecret();
  const link = await app.db.write(async (trx) => {
    if (!(await lockShared(app.db, trx, sharing))) fail('NOT_FOUND');
    requireRoom((await shareLinksOf(trx, sharing)).length + 1);
    return insertShareLink(trx, {
      ...{ passwordHash: null, expiresAt: null, maxViews: null, label: null, renditionsOnly: false },
      notify: 'none' as const,
      ...columns,
      of: { kind: sharing.kind, id: sharing.id },
      secretHash: hashSecret(secret),
      secretCipher: app.secrets.encrypt(secret),
      createdAt: Date.now(),
    });
  });
  return toShareLink(app, link);
}

/** A page of the share links of something of the caller, newest first. */
export async function listLinks(ctx: AccountContext, find: FindSharing, input: z.output<typeof linksInput>) {
  const sharing = await find(ctx, input.uniqueId);
  const asked = contentPageAsked(input);
  const { limit, offset } = windowOf(asked);
  // There are at most `MAX_LINKS`.
  const links = await shareLinksOf(ctx.app.db.read, sharing);
  const shown = links.slice(offset, offset + limit).map((link) => toShareLink(ctx.app, link));
  return toContentPage(asked, shown, links.length);
}

/** Changes the given fields of a share link of the caller; 404 if there is no such link. */
export async function changeLink(
  ctx: AccountContext,
  find: FindSharing,
  { uniqueId, linkId, ...input }: z.output<typeof changeLinkInput>,
): Promise<ShareLinkRecord> {
  const sharing = await find(ctx, uniqueId);
  requireLinkable(sharing, input);
  const columns = await columnsOf(ctx, input);
  const link = await ctx.app.db.write((trx) => updateShareLink(trx, sharing, linkId, columns));
  return toShareLink(ctx.app, found(link));
}

/** Revokes a share link of the caller: it stops working with the commit. */
export async function removeLink(
  ctx: AccountContext,
  find: FindSharing,
  { uniqueId, linkId }: z.output<typeof linkInput>,
): Promise<void> {
  const sharing = await find(ctx, uniqueId);
  if (!(await ctx.app.db.write((trx) => deleteShareLink(trx, sharing, linkId)))) fail('NOT_FOUND');
}
