import { z } from 'zod';
import { lockCollection } from '../../../db/content/collection/collection.js';
import {
  deleteShareLink,
  insertShareLink,
  type ShareLink,
  shareLinksOf,
  updateShareLink,
} from '../../../db/content/collection/collection-link.js';
import { lookupId } from '../../../db/content/content.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { contentPageAsked, contentPageInput, toContentPage, windowOf } from '../../base/paging.js';
import { changedExpiryInput, iso, isoOrNull } from '../../base/text/dates.js';
import type { AccountContext, Services } from '../../core/context.js';
import { changedPasswordInput, hashItemPassword } from '../../core/items/item-password.js';
import { hashSecret, newSecret } from '../../core/secrets.js';

import { ownCollection } from './change.js';
import { limitInput, namedInput } from './fields.js';

/** The most share links that one collection can have. */
const MAX_LINKS = 200;

const fields = {
  password: changedPasswordInput.optional(),
  expiresAt: changedExpiryInput.optional(),
  maxViews: limitInput,
  note: z.string().max(500, 'a note can have at most 500 characters').nullish(),
};
/** The links of a collection, and one of them. */
export const linksInput = namedInput.extend(contentPageInput.shape);
export const newLinkInput = namedInput.extend(fields);
export const linkInput = namedInput.extend({ linkId: z.int().min(1).max(0x7fffffff) });
export const changeLinkInput = linkInput.extend(fields);

/** A share link, as the owner of its collection sees it. */
export const shareLinkRecord = z.object({
  id: z.int(),
  /** Its page. */
  url: z.url(),
  note: z.string().nullable(),
  requiresPassword: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  maxViews: z.int().nullable(),
  views: z.int(),
  createdAt: z.iso.datetime(),
});

const toRecord = (app: Services, link: ShareLink): z.output<typeof shareLinkRecord> => ({
  id: link.id,
  url: `${app.settings.origin}/web/share/${app.secrets.decrypt(link.secretCipher)}`,
  note: link.note,
  requiresPassword: link.passwordHash !== null,
  expiresAt: isoOrNull(link.expiresAt),
  maxViews: link.maxViews,
  views: link.views,
  createdAt: iso(link.createdAt),
});

const columnsOf = async (
  ctx: AccountContext,
  { password, expiresAt, maxViews, note }: Partial<z.output<typeof changeLinkInput>>,
) => ({
  ...(password === undefined
    ? {}
    : { passwordHash: await hashItemPassword(ctx.app, ctx.account.id, password) }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(maxViews === undefined ? {} : { maxViews }),
  ...(note === undefined ? {} : { note: note || null }),
});

/** Makes a share link of a collection of the caller. */
export async function createLink(ctx: AccountContext, input: z.output<typeof newLinkInput>) {
  const { app } = ctx;
  await app.limits.rates.take('create', String(ctx.account.id));
  await ownCollection(ctx, input.uniqueId);
  const secret = newSecret();
  const columns = await columnsOf(ctx, input);
  const link = await app.db.write(async (trx) => {
    const { id } = found(await lockCollection(app.db, trx, lookupId(input.uniqueId)));
    if ((await shareLinksOf(trx, id)).length >= MAX_LINKS)
      fail(
        'INVALID',
        localizable('A collection can have at most {max} share links; delete one first', { max: MAX_LINKS }),
      );
    return insertShareLink(trx, {
      ...{ passwordHash: null, expiresAt: null, maxViews: null, note: null },
      ...columns,
      collectionId: id,
      secretHash: hashSecret(secret),
      secretCipher: app.secrets.encrypt(secret),
      createdAt: Date.now(),
    });
  });
  return toRecord(app, link);
}

/** A page of the share links of a collection of the caller, newest first. */
export async function listLinks(ctx: AccountContext, input: z.output<typeof linksInput>) {
  const { id } = await ownCollection(ctx, input.uniqueId);
  const asked = contentPageAsked(input);
  const { limit, offset } = windowOf(asked);
  // There are at most `MAX_LINKS`.
  const links = await shareLinksOf(ctx.app.db.read, id);
  const shown = links.slice(offset, offset + limit).map((link) => toRecord(ctx.app, link));
  return toContentPage(asked, shown, links.length);
}

/** Changes the given fields of a share link of the caller; 404 if the collection has no such link. */
export async function changeLink(ctx: AccountContext, input: z.output<typeof changeLinkInput>) {
  const { id } = await ownCollection(ctx, input.uniqueId);
  const columns = await columnsOf(ctx, input);
  const link = await ctx.app.db.write((trx) => updateShareLink(trx, id, input.linkId, columns));
  return toRecord(ctx.app, found(link));
}

/** Revokes a share link of the caller: it stops working with the commit. */
export async function removeLink(ctx: AccountContext, input: z.output<typeof linkInput>): Promise<void> {
  const { id } = await ownCollection(ctx, input.uniqueId);
  if (!(await ctx.app.db.write((trx) => deleteShareLink(trx, id, input.linkId)))) fail('NOT_FOUND');
}
