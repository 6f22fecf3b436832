import { z } from 'zod';
import { type Reservation, reservationsById } from '../../../db/content/upload/reservation.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import type { AccountContext } from '../../core/context.js';
import { networkMark } from '../../core/entry/network-mark.js';
import { refuseClear, sealInput, sealOf } from '../../core/items/seal.js';
import { sourceInput } from '../image/public.js';
import { packPasswordInput, reservedIdOf } from './names.js';

/** More than any caller may name at once. */
const MAX_ITEMS = 5_000;

const description = z.string().max(2_000, 'a description can have at most 2000 characters').nullish();

/** What is missing is refused in the words that older pages show, by `namedItems`. */
const item = z.object({
  ...sealInput,
  uniqueId: z.string().max(200).nullish(),
  fileName: z.string().max(1_000).nullish(),
  fileType: z.string().max(200).nullish(),
  size: z.int().nullish(),
  description: z.string().max(200, 'a description can have at most 200 characters').nullish(),
  password: packPasswordInput,
  /** Milliseconds from now; 0 for none. */
  expiryDate: z.number().min(0, 'give the milliseconds from now').nullish(),
});
type Asked = z.output<typeof item>;
/** A file that a registration names whole. */
export type NamedItem = Asked & {
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
/** What a registration asks for. */
export type RegisterInput = z.output<typeof registerPackInput>;

/** The files that a registration names, at least one and each once. */
export function namedItems({ items }: RegisterInput): NamedItem[] {
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
function sealedOf({ fileName, description, ...asked }: Asked): Pick<NamedItem, 'seal' | 'fileName'> {
  const seal = sealOf(asked);
  refuseClear(seal, { description });
  return { seal, fileName: seal === null ? fileName : null };
}

/** One wording, whether nothing arrived, it was registered already or it belongs to another account. */
export const refuseUnknown = ({ uniqueId }: NamedItem): never =>
  fail(
    'INVALID',
    localizable('The file {id} has not been uploaded from here or was registered already', { id: uniqueId }),
  );

/**
 * The reservations of files that the caller may register: its own or, as a portal does not know the accounts of its
 * visitors, those whose bytes came from the caller's network. Only where the store took the bytes itself, and nobody saw
 * from where, the name alone decides.
 */
export async function reservationsOf(ctx: AccountContext, items: readonly NamedItem[]) {
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
