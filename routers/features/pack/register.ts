import { randomUUID } from 'node:crypto';
import { type Collection, insertCollection } from '../../../db/content/collection/collection.js';
import { addItems } from '../../../db/content/collection/place-items.js';
import { type Reservation, takeReservation } from '../../../db/content/upload/reservation.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { mapLimit } from '../../base/map-limit.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { displayName } from '../../core/items/file-names.js';
import { generateId } from '../../core/items/ids.js';
import { hashItemPassword } from '../../core/items/item-password.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { requirePackFits } from '../../core/quotas/spend.js';
import {
  insertPrepared,
  keepPrepared,
  metadataPolicyOf,
  openReserved,
  type PreparedFile,
  prepareFile,
  refuseSize,
  releaseOf,
  removeReserved,
  StagedUpload,
  stageArrived,
} from '../image/public.js';
import {
  type NamedItem,
  namedItems,
  type RegisterInput,
  refuseUnknown,
  reservationsOf,
} from './registration.js';

/** How many files are checked at the same time. */
const AT_ONCE = 2;
/** An expiry further away counts as none. */
const MAX_EXPIRY_MS = 100 * 365 * 24 * 60 * 60 * 1000;

/** A file that arrived, checked and ready to be stored. */
interface ReadyFile {
  readonly item: NamedItem;
  readonly reservation: Reservation;
  readonly passwordHash: string | null;
  readonly file: PreparedFile;
}

/**
 * Makes a pack of the caller of files that were uploaded to reserved names: all of them or, if anything is wrong, none.
 * A reservation made by a portal belongs to the visitor that sent its bytes, and registers it first.
 */
export async function registerPack(ctx: AccountContext, input: RegisterInput): Promise<Collection> {
  const { app, account } = ctx;
  const items = namedItems(input);
  await app.limits.rates.take('create', String(account.id), Math.min(items.length, 100));
  await requireWithinLimits(ctx, items);
  const passwordHash = await hashItemPassword(app, account.id, input.password);
  const ready: ReadyFile[] = [];
  const discards: (() => Promise<void>)[] = [];
  try {
    const reservations = await reservationsOf(ctx, items);
    const policy = await metadataPolicyOf(app, account.id);
    await mapLimit(AT_ONCE, [...reservations.entries()], async ([index, { asked, reservation }]) => {
      const staged = await stageArrived(app, {
        size: asked.size,
        open: () => openReserved(app, reservation),
      });
      discards.push(() => staged.discard());
      if (staged.size !== asked.size)
        fail(
          'INVALID',
          localizable('The file {id} has {size} bytes, which is not the announced size', {
            id: asked.uniqueId,
            size: staged.size,
          }),
        );
      const upload = new StagedUpload(staged, asked.fileName ?? asked.uniqueId, null);
      const file = await prepareFile(app, upload, {
        ownerId: account.id,
        policy,
        waitForPoster: false,
        anyContent: true,
        sealed: asked.seal !== null,
      });
      discards.push(() => file.discard());
      ready[index] = {
        item: asked,
        reservation,
        passwordHash: await hashItemPassword(app, account.id, asked.password),
        file,
      };
    });
    return await keep(ctx, input, passwordHash, ready);
  } finally {
    for (const discard of discards) await discard();
  }
}

async function keep(
  ctx: AccountContext,
  input: RegisterInput,
  passwordHash: string | null,
  ready: readonly ReadyFile[],
): Promise<Collection> {
  const { app, account } = ctx;
  const files = ready.map(({ file }) => file);
  const createdAt = Date.now();
  const kept = await keepPrepared(
    ctx,
    files,
    async (trx) => {
      const unreferenced: (readonly string[])[] = [];
      // Blobs before counters, as everywhere, to avoid deadlocks.
      for (const { reservation, item } of inOrder(ready)) {
        const taken = await takeReservation(trx, reservation.id);
        unreferenced.push(await releaseOf(trx, taken ?? refuseUnknown(item)));
      }
      const pack = await insertCollection(trx, {
        uniqueId: randomUUID(),
        ownerId: account.id,
        face: 'pack',
        title: titleOf(ready),
        description: input.description || null,
        passwordHash,
        createdAt,
      });
      const rules = await entryRulesOf(app, account.id, trx);
      const images = await insertPrepared(
        ctx,
        trx,
        ready.map(({ item, file, passwordHash: own }) => ({
          file,
          fields: {
            uniqueId: generateId(),
            ownerId: account.id,
            // Only its pack opens it.
            isPublic: false,
            passwordHash: own,
            expiresAt: endOfNew(rules, expiryOf(item, createdAt)),
            description: item.description?.trim() || null,
            source: input.source,
            maxViews: null,
            seal: item.seal,
          },
        })),
      );
      const items = images.flatMap(({ id: imageId, mimeType }, index) => {
        const asked = ready[index]?.item;
        return asked === undefined
          ? []
          : [
              {
                imageId,
                address: asked.uniqueId,
                fileType: (asked.seal === null && asked.fileType) || mimeType,
              },
            ];
      });
      await addItems(app.db, trx, pack.id, items);
      await audit(ctx, trx, 'pack.created', { subject: account.id, info: { files: items.length } });
      return { pack, unreferenced };
    },
    'FILE',
  );
  app.jobs.kick();
  for (const [index, { reservation }] of inOrder(ready).entries())
    await removeReserved(app, reservation, kept.unreferenced[index] ?? []);
  return kept.pack;
}

/** In a fixed order, so that two registrations of the same files do not deadlock. */
const inOrder = (ready: readonly ReadyFile[]): readonly ReadyFile[] =>
  [...ready].sort((a, b) => a.reservation.id - b.reservation.id);

const titleOf = (ready: readonly ReadyFile[]): string => {
  const [first] = ready;
  const name = displayName(first?.item.fileName ?? null) ?? first?.item.uniqueId ?? '';
  return ready.length === 1 ? name.slice(0, 200) : `${ready.length} files`;
};

const expiryOf = ({ expiryDate }: NamedItem, at: number): number | null =>
  typeof expiryDate === 'number' && expiryDate > 0 && expiryDate < MAX_EXPIRY_MS
    ? at + Math.trunc(expiryDate)
    : null;

async function requireWithinLimits(
  { app, account }: AccountContext,
  items: readonly NamedItem[],
): Promise<void> {
  const bytes = items.reduce((sum, { size }) => sum + size, 0);
  await requirePackFits(app.db.read, account.id, { count: items.length, bytes });
  if (items.some(({ size }) => size > app.settings.maxUploadBytes)) refuseSize(app.settings);
}
