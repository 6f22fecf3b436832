import { unfinishedUploads } from '../../../db/content/upload/upload.js';
import { fail } from '../../base/errors.js';
import { isShutOut } from '../../base/roles.js';
import type { Services } from '../../core/context.js';
import { readItemPassword } from '../../core/items/item-password.js';
import { UPLOAD_PURPOSES } from '../../core/items/upload-purposes.js';
import { requireQuotaForReservation, requireUnpausedOwner } from '../../core/quotas/spend.js';
import { requireScope } from '../../core/scopes.js';
import { requireCreator } from '../../core/trpc.js';
import {
  fieldsOf,
  type ItemFields,
  metadataPolicyOf,
  prepareFile,
  refuseSize,
  storePrepared,
} from '../image/public.js';
import { actingFor } from './acting.js';
import { refuseMore } from './guest-places.js';
import type { Purpose } from './purpose.js';

/** Unfinished uploads that one account may have. */
const MAX_UNFINISHED = 1_000;
/** Their announced size together, as a multiple of the largest upload. */
const MAX_LARGEST = 32;

/** What is kept of an upload that becomes an item of the caller. The password is hashed already. */
interface Wished {
  readonly uniqueId: string | null;
  readonly item: Omit<ItemFields, 'uniqueId'>;
}

/** An ordinary upload: a file of the caller. */
export const imagePurpose: Purpose = {
  name: 'image',
  isOfGuests: false,

  async admit(ctx, input) {
    const caller = await requireCreator(ctx);
    requireScope(caller, 'images:write', true);
    const { id } = caller;
    await ctx.app.limits.rates.take('create', String(id));
    await requireFree(ctx.app, input.uniqueId);
    const password = readItemPassword(input.password);
    const item = await fieldsOf(ctx.app, id, { ...input, password });
    const wished: Wished = { uniqueId: input.uniqueId, item };
    return { ownerId: id, fields: wished, isSealed: typeof item.seal === 'string' };
  },

  async requirePlace({ settings: { maxUploadBytes } }, trx, { ownerId }, { at, length }) {
    const all = { unsaid: maxUploadBytes, purpose: 'image' };
    const open = await unfinishedUploads(trx, ownerId, at, all);
    const isFull = open.bytes + (length ?? maxUploadBytes) > MAX_LARGEST * maxUploadBytes;
    if (open.total < MAX_UNFINISHED && !isFull) return;
    refuseMore(open.firstEnd, at);
  },

  requireSpace: async () => undefined,

  requireQuota: (trx, ownerId, wanted) =>
    requireQuotaForReservation(trx, ownerId, UPLOAD_PURPOSES.image.type, wanted),

  refuseQuota(excess) {
    throw excess ?? fail('LIMIT_EXCEEDED');
  },

  /** The owner may have been banned or paused since the upload began. */
  async mayGoOn(app, { ownerId }) {
    const owner = await app.load.user(ownerId);
    if (owner === null || isShutOut(owner.role)) fail('NOT_FOUND');
    await requireUnpausedOwner(app.db.read, ownerId);
    return { bytes: app.settings.maxUploadBytes, refuse: () => refuseSize(app.settings) };
  },

  async keep(app, upload, file, settle) {
    const { uniqueId, item } = upload.fields as Wished;
    const ctx = await actingFor(app, upload.ownerId);
    await requireFree(app, uniqueId);
    const policy = await metadataPolicyOf(app, upload.ownerId);
    const sealed = typeof item.seal === 'string';
    const prepared = await prepareFile(app, file, {
      ...{ ownerId: upload.ownerId, policy, waitForPoster: true, sealed },
    });
    try {
      await storePrepared(ctx, prepared, uniqueId, item, settle);
    } finally {
      await prepared.discard();
    }
  },
};

async function requireFree(app: Services, uniqueId: string | null): Promise<void> {
  if (uniqueId !== null && (await app.load.image(uniqueId)) !== null) fail('ID_TAKEN');
}
