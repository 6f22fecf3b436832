import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Collection, insertCollection } from '../../../db/content/collection/collection.js';
import { addItems } from '../../../db/content/collection/collection-item.js';
import {
  type Reservation,
  reservationsById,
  takeReservation,
} from '../../../db/content/upload/reservation.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { mapLimit } from '../../base/map-limit.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { networkMark } from '../../core/entry/network-mark.js';
import { displayName } from '../../core/items/file-names.js';
import { generateId } from '../../core/items/ids.js';
import { hashItemPassword } from '../../core/items/item-password.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { refuseClear, sealInput, sealOf } from '../../core/items/seal.js';
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
  sourceInput,
  stageArrived,
} from '../image/public.js';
import { packPasswordInput, reservedIdOf } from './names.js';

/** How many files are checked at the same time. */
const AT_ONCE = 2;
/** More than any caller may name at once. */
const MAX_ITEMS = 5_000;
/** An expiry further away counts as none. */
const MAX_EXPIRY_MS = 100 * 365 * 24 * 60 * 60 * 1000;

const description = z.string().max(2_000, 'a description can have at most 2000 characters').nullish();

/** What is missing is refused in the words that older pages show, by `namedItems`. */
const item = z.object({
  uniqueId: z.string().max(200).nullish(),
  fileName: z.string().max(1_000).nullish(),
  fileType: z.string().max(200).nullish(),
  size: z.int().nullish(),
  description: z.string().max(200, 'a description can have at most 200 characters').nullish(),
  password: packPasswordInput,
  /** Milliseconds from now; 0 for none. */
  expiryDate: z.number().min(0, 'give the milliseconds from now').nullish(),
  ...sealInput,
});
type Asked = z.output<typeof item>;
type Item = Asked & {
  readonly uniqueId: string;
  readonly fileType: string;
  readonly size: number;
  readonly seal: string | null;
};

/** A pack to be registered, with its files. */
export const registerPackInput = z.object({
  items: z.array(item).max(MAX_ITEMS).nullish(),
  source: sourceInput,
  password: packPasswordInput,
  description,
});
type RegisterInput = z.output<typeof registerPackInput>;

/** The files that a registration names, at least one and each once. */
function namedItems({ items }: RegisterInput): Item[] {
  if (items === undefined || items === null || items.length === 0)
    fail('INVALID', 'Items list cannot be empty');
  const named = items.map((asked) => ({
    ...asked,
    ...sealedOf(asked),
    uniqueId: asked.uniqueId || fail('INVALID', 'uniqueId is required for all items'),
    fileType: asked.fileType ?? fail('INVALID', 'fileType is required for all items'),
    size: (asked.size ?? 0) > 0 ? Number(asked.size) : fail('INVALID', 'size must be greater than 0'),
  }));
  if (new Set(named.map(({ uniqueId }) => uniqueId)).size < named.length)
    fail('INVALID', 'A file is listed twice');
  return named;
}

/** The seal of a file; the name that comes with a sealed one is dropped. */
function sealedOf({ fileName, description, ...asked }: Asked): Pick<Item, 'seal' | 'fileName'> {
  const seal = sealOf(asked);
  refuseClear(seal, { description });
  return { seal, fileName: seal === null ? fileName : null };
}

/** A file that arrived, checked and ready to be stored. */
interface ReadyFile {
  readonly item: Item;
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

const expiryOf = ({ expiryDate }: Item, at: number): number | null =>
  typeof expiryDate === 'number' && expiryDate > 0 && expiryDate < MAX_EXPIRY_MS
    ? at + Math.trunc(expiryDate)
    : null;

/** One wording, whether nothing arrived, it was registered already or it belongs to another account. */
const refuseUnknown = ({ uniqueId }: Item): never =>
  fail(
    'INVALID',
    localizable('The file {id} has not been uploaded from here or was registered already', { id: uniqueId }),
  );

/**
 * The reservations of files that the caller may register: its own or, as a portal does not know the accounts of its
 * visitors, those whose bytes came from the caller's network. Only where the store took the bytes itself, and nobody saw
 * from where, the name alone decides.
 */
async function reservationsOf(ctx: AccountContext, items: readonly Item[]) {
  const { app, account } = ctx;
  const ids = items.map(({ uniqueId }) => reservedIdOf(uniqueId));
  const found = await reservationsById(app.db, ids);
  const now = Date.now();
  const mayRegister = ({ ownerId, purpose, sentFrom }: Reservation): boolean =>
    ownerId === account.id ||
    (purpose === 'portalFile' && (sentFrom === null || sentFrom === networkMark(ctx)));
  return items.map((asked, index) => {
    const reservation = found.get(ids[index] ?? '');
    return reservation !== undefined && reservation.expiresAt > now && mayRegister(reservation)
      ? { asked, reservation }
      : refuseUnknown(asked);
  });
}

async function requireWithinLimits({ app, account }: AccountContext, items: readonly Item[]): Promise<void> {
  const bytes = items.reduce((sum, { size }) => sum + size, 0);
  await requirePackFits(app.db.read, account.id, { count: items.length, bytes });
  if (items.some(({ size }) => size > app.settings.maxUploadBytes)) refuseSize(app.settings);
}
