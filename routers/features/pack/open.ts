import { z } from 'zod';
import { type Collection, collectionByKey } from '../../../db/content/collection/collection.js';
import { itemAtAddress } from '../../../db/content/collection/collection-item.js';
import { lookupId } from '../../../db/content/content.js';
import { DomainError, type ErrorCode, fail, found } from '../../base/errors.js';
import { iso } from '../../base/text/dates.js';
import { transferInput } from '../../base/transfer.js';
import { authorise, isOpen } from '../../core/access.js';
import type { AccountContext, Context } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { may, mayDo } from '../../core/policies.js';
import { TICKET_SECONDS, ticketFor } from '../../core/sharing/ticket.js';
import {
  type Entered,
  enterCollection,
  enterForFiles,
  openEntered,
  requireThere,
  seen,
  type ZipListing,
  zipOfCollection,
} from '../collection/public.js';
import { type ContentDelivery, deliver, renditionInput, represent } from '../image/public.js';
import { type PackRecord, toPackRecord, totalsOf } from './record.js';

/** A pack, and the password that opens it. */
export const packInput = z.object({ packId: uniqueIdInput });
export const lockedPackInput = packInput.extend({ password: shownPasswordInput });

/** What everybody may know of a pack before it is opened. */
export const packInfo = z.object({
  packId: z.string(),
  description: z.string().nullable(),
  totalFiles: z.int(),
  totalSize: z.int(),
  uploadTime: z.iso.datetime(),
  isPasswordProtected: z.boolean(),
  /** Whether the caller needs no password: its owner, moderators, and a browser that has opened it. */
  hasAccess: z.boolean(),
});

/** The pack with this id, or null. */
async function packById(ctx: Context, packId: string): Promise<Collection | null> {
  const pack = await collectionByKey(ctx.app.db.read, lookupId(packId));
  return pack?.face === 'pack' ? pack : null;
}

/** The name of the cookie that keeps a pack open. */
const cookieOf = ({ uniqueId }: Collection) =>
  `opened_pack_${uniqueId
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 16)
    .toLowerCase()}` as const;

/** The ticket that this browser got when it opened the pack. */
const ticketIn = (ctx: Context, pack: Collection): string | null => ctx.cookie(cookieOf(pack));

/** Where the cookie is needed: at the files themselves, and at the calls about their pack. */
const COOKIE_PATHS = ['/files', '/v1/files'];

function keepOpen(ctx: Context, pack: Collection): void {
  const value = ticketFor(ctx.app, { of: 'collection', ...pack });
  for (const path of COOKIE_PATHS)
    ctx.outgoingCookies.push({ name: cookieOf(pack), path, value, maxAgeSeconds: TICKET_SECONDS });
}

/** What older pages say about each refusal. */
const TEXTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  PASSWORD_REQUIRED: 'Pack is password protected. Password required.',
  PASSWORD_WRONG: 'Invalid password',
};

/** Runs an opening, with the texts that older pages show. */
async function inPackWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // A pack that its owner has made private does not exist for others.
    if (error.reason === 'NOT_FOUND' || error.reason === 'PRIVATE') fail('PACK_NOT_FOUND', { cause: error });
    const message = TEXTS[error.reason];
    if (message === undefined) throw error;
    throw new DomainError(error.reason, { message, cause: error });
  }
}

const enter = (ctx: Context, pack: Collection, password: string | null | undefined): Promise<Entered> =>
  enterCollection(ctx, pack, { password, ticket: ticketIn(ctx, pack) });

/** What a page shows before a pack is opened. */
export async function describePack(ctx: Context, packId: string): Promise<z.output<typeof packInfo>> {
  const pack = (await packById(ctx, packId)) ?? fail('PACK_NOT_FOUND');
  const privileged = await may(ctx, 'open', 'collection', pack);
  if (!pack.isPublic && !privileged) fail('PACK_NOT_FOUND');
  const holds = await inPackWords(() => requireThere(ctx, pack, ticketIn(ctx, pack)));
  return {
    packId: pack.uniqueId,
    description: pack.description,
    ...(await totalsOf(ctx, pack)),
    uploadTime: iso(pack.createdAt),
    isPasswordProtected: pack.passwordHash !== null,
    hasAccess: privileged || holds,
  };
}

/** Opens a pack, counts that, and keeps it open for this browser. */
export function openPack(ctx: Context, input: z.output<typeof lockedPackInput>): Promise<PackRecord> {
  return inPackWords(async () => {
    const pack = found(await packById(ctx, input.packId));
    const entered = await enter(ctx, pack, input.password);
    await openEntered(ctx, entered);
    keepOpen(ctx, pack);
    return toPackRecord(ctx, pack, (item) => seen(item, entered) !== null);
  });
}

/** The contents of the zip of a pack. */
export function packArchive(ctx: Context, input: z.output<typeof lockedPackInput>): Promise<ZipListing> {
  return inPackWords(async () => {
    const pack = found(await packById(ctx, input.packId));
    const ticket = ticketIn(ctx, pack);
    const entered = await enterForFiles(ctx, await enter(ctx, pack, input.password), { ticket });
    return zipOfCollection(ctx, entered, `pack-${pack.uniqueId}.zip`);
  });
}

/** The caller's own pack with its files; 401 for that of another account. */
export async function ownPack(ctx: AccountContext, packId: string): Promise<PackRecord> {
  const pack = found(await packById(ctx, packId));
  if (pack.ownerId !== ctx.account.id) fail('NOT_OWNER');
  return toPackRecord(ctx, pack);
}

/** The pack, if the caller owns it or moderates; 403 with this text otherwise. */
export async function controlledPack(
  ctx: AccountContext,
  packId: string,
  refusal: string,
): Promise<Collection> {
  const pack = (await packById(ctx, packId)) ?? fail('PACK_NOT_FOUND');
  if (!mayDo(ctx.account, 'remove', pack)) fail('FORBIDDEN', refusal);
  return pack;
}

/** A file of a pack, and how it is sent. */
export const packFileInput = z.object({
  filename: z.string().min(1).max(200),
  password: shownPasswordInput,
  download: z.boolean().default(false),
  /** For browser navigation: a refusal redirects to the page of the pack instead. */
  prefersPage: z.boolean().default(false),
  transfer: transferInput,
  ...renditionInput,
});

/** The bytes of a file of a pack, for those who may open the pack. */
export async function packFileContent(
  ctx: Context,
  input: z.output<typeof packFileInput>,
): Promise<ContentDelivery> {
  const { item, pack } = found(await itemAtAddress(ctx.app.db.read, input.filename));
  const { image } = item;
  try {
    const entered = await enter(ctx, pack, input.password);
    await enterForFiles(ctx, entered, { ticket: ticketIn(ctx, pack) });
    const { access } = found(seen(item, entered));
    // A password of its own comes on top of that of the pack.
    if (!access) await authorise(ctx, 'image', { ...image, isPublic: true }, input.password);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.reason === 'PRIVATE') fail('NOT_FOUND', { cause: error });
    if (error.status !== 403 || !input.prefersPage) throw error;
    return { as: 'redirect', location: `${ctx.app.settings.origin}/web/collection/${pack.uniqueId}` };
  }
  const form = await represent(ctx, image, input);
  const access = isOpen(pack) && image.passwordHash === null ? 'public' : 'password';
  const delivered = await deliver(ctx, image, access, { ...input, documents: true }, form);
  return delivered.as === 'bytes' ? { ...delivered, framed: true } : delivered;
}
