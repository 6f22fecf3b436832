import { z } from 'zod';
import { permanentInput } from '../../core/items/discard.js';
import { admin, creator, open, router, signedIn } from '../../core/trpc.js';
import { zipListing } from '../collection/public.js';
import { delivery } from '../image/public.js';
import {
  describePack,
  lockedPackInput,
  openPack,
  ownPack,
  packArchive,
  packFileContent,
  packFileInput,
  packInfo,
  packInput,
} from './open.js';
import { listPacks, packPage, packPageInput, packRecord, toPackRecord } from './record.js';
import { registerPack } from './register.js';
import { registerPackInput } from './registration.js';
import { deletePack, deletePackFile } from './remove.js';
import { fillPackFile, fillPackInput, packAddress, presign, presignInput } from './reserve.js';

const removed = z.object({ uniqueId: z.string() });

/** File packs, as separate front ends make and show them (contract §6). */
export const packRouter = router({
  presign: creator('images:write', 'creates')
    .input(presignInput)
    .output(packAddress)
    .mutation(({ ctx, input }) => presign(ctx, input)),

  /** The signature in the address decides. */
  fill: open(null, 'whilePaused')
    .input(fillPackInput)
    .output(z.void())
    .mutation(({ ctx, input }) => fillPackFile(ctx, input)),

  register: creator('images:write', 'creates')
    .input(registerPackInput)
    .output(packRecord)
    .mutation(async ({ ctx, input }) => toPackRecord(ctx, await registerPack(ctx, input))),

  mine: signedIn('images:read')
    .input(packPageInput)
    .output(packPage)
    .query(({ ctx, input }) => listPacks(ctx, ctx.account.id, input)),

  all: admin('admin:read')
    .input(packPageInput)
    .output(packPage)
    .query(({ ctx, input }) => listPacks(ctx, null, input)),

  get: signedIn('images:read')
    .input(packInput)
    .output(packRecord)
    .query(({ ctx, input }) => ownPack(ctx, input.packId)),

  info: open('images:read')
    .input(packInput)
    .output(packInfo)
    .query(({ ctx, input }) => describePack(ctx, input.packId)),

  open: open('images:read', 'whilePaused')
    .input(lockedPackInput)
    .output(packRecord)
    .mutation(({ ctx, input }) => openPack(ctx, input)),

  zip: open('images:read', 'whilePaused')
    .input(lockedPackInput)
    .output(zipListing)
    .mutation(({ ctx, input }) => packArchive(ctx, input)),

  file: open('images:read')
    .input(packFileInput)
    .output(delivery)
    .query(({ ctx, input }) => packFileContent(ctx, input)),

  delete: signedIn('images:write')
    .input(packInput.extend(permanentInput))
    .output(removed)
    .mutation(async ({ ctx, input }) => ({ uniqueId: (await deletePack(ctx, input)).uniqueId })),

  deleteFile: signedIn('images:write')
    .input(packInput.extend({ filename: z.string().min(1).max(200), ...permanentInput }))
    .output(removed)
    .mutation(async ({ ctx, input }) => ({ uniqueId: (await deletePackFile(ctx, input)).uniqueId })),
});
