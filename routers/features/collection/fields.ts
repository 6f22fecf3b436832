import { z } from 'zod';
import type { CollectionChange } from '../../../db/content/collection/collection.js';
import { fail } from '../../base/errors.js';
import { rule } from '../../base/language/rules.js';
import { changedExpiryInput } from '../../base/text/dates.js';
import type { Services } from '../../core/context.js';
import { permanentInput } from '../../core/items/discard.js';
import { displayName } from '../../core/items/file-names.js';
import { collectionIdInput, uniqueIdInput } from '../../core/items/ids.js';
import { changedPasswordInput, hashItemPassword } from '../../core/items/item-password.js';
import { ifMatchInput } from '../../core/items/revision.js';
import { clearInput, refuseClear, sealInput, sealOf } from '../../core/items/seal.js';
import { tagsInput } from '../../core/items/tags.js';
import { notifyInput } from '../../core/telling/input.js';

const MAX_PATH_LENGTH = 1_000;
const MAX_DEPTH = 32;

/** A path as `a/b/c.txt`, each part a safe name; null if nothing is left or it leads out of the collection. */
function cleanPath(path: string): string | null {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.length > MAX_DEPTH || parts.includes('..')) return null;
  const names = parts.map((part) => displayName(part));
  return names.includes(null) ? null : names.join('/');
}

/** Where a file is in its collection; "" and null mean its own name. */
const pathInput = z
  .string()
  .max(MAX_PATH_LENGTH, rule('a path can have at most {max} characters', { max: MAX_PATH_LENGTH }))
  .nullish()
  .transform((value, ctx) => {
    if (value === undefined || value === null || value.trim() === '')
      return value === undefined ? undefined : null;
    const path = cleanPath(value);
    if (path !== null) return path;
    ctx.addIssue({
      code: 'custom',
      message: rule('use a path like folder/name.txt, at most {max} deep', { max: MAX_DEPTH }),
    });
    return z.NEVER;
  });

/** The most files that a collection can have. */
export const MAX_FILES = 5_000;

/** What it is called. */
export const title = z
  .string()
  .trim()
  .min(1, 'enter a title')
  .max(200, 'a title can have at most 200 characters');
/** What is said about it. */
export const description = z.string().max(2_000, 'a description can have at most 2000 characters');
/** A limit of views or uses; null means none. */
const limitInput = z.int().min(1).max(1_000_000_000).nullish();

/** The fields of a collection besides its id and its files. Absent: as it is; null or "": none. */
const fields = {
  description: description.nullish(),
  tags: tagsInput.optional(),
  cover: uniqueIdInput.or(z.literal('')).nullish(),
  password: changedPasswordInput.optional(),
  expiresAt: changedExpiryInput.optional(),
  maxViews: limitInput,
  isPublic: z.boolean().nullish(),
  /** The opposite of `isPublic`, as other items name it. */
  private: z.boolean().nullish(),
  favourite: z.boolean().nullish(),
  notify: notifyInput,
};

const item = z.object({ uniqueId: uniqueIdInput, path: pathInput });

/** Files in order, with the places of those that have one of their own. */
export const itemsInput = z
  .array(item)
  .max(MAX_FILES, rule('a collection can have at most {max} files', { max: MAX_FILES }))
  .refine(
    (all) => new Set(all.map(({ uniqueId }) => uniqueId.toLowerCase())).size === all.length,
    'a file is listed twice',
  );
export type ItemsInput = z.output<typeof itemsInput>;

/** A new collection; one that is sealed has no title in the clear. */
export const createInput = z.object({
  ...sealInput,
  uniqueId: collectionIdInput,
  title: title.or(z.literal('')).nullish(),
  items: itemsInput.nullish(),
  ...fields,
});

/** A collection by its id, and what is done to it. */
export const namedInput = z.object({ uniqueId: uniqueIdInput });
export const removalInput = namedInput.extend(permanentInput);
export const changeInput = namedInput.extend({
  ...clearInput,
  title: title.optional(),
  ...fields,
  sealedName: sealInput.sealedName,
  ifMatch: ifMatchInput,
});

/** What a new collection is with its title or its seal; 400 for neither, and for texts in the clear beside a seal. */
export function titledOrSealed(input: z.output<typeof createInput>): string | null {
  const seal = sealOf(input);
  if (seal === null && !input.title) fail('INVALID', 'title: enter a title');
  refuseClear(seal, { description: input.description });
  return seal;
}

/** The fields that a change or a creation gives; no title is as "". */
export type FieldsInput = Omit<z.output<typeof changeInput>, 'uniqueId' | 'tags' | 'title' | 'ifMatch'> & {
  readonly title?: string | null | undefined;
};

/** The columns that the given fields set. The cover, which has to be in the collection, and the tags are not among them. */
export async function columnsOf(
  app: Services,
  ownerId: number,
  input: FieldsInput,
): Promise<CollectionChange> {
  const isPublic = input.isPublic ?? (typeof input.private === 'boolean' ? !input.private : undefined);
  return {
    ...(input.title === undefined ? {} : { title: input.title ?? '' }),
    ...(input.description === undefined ? {} : { description: input.description || null }),
    ...(input.password === undefined
      ? {}
      : { passwordHash: await hashItemPassword(app, ownerId, input.password) }),
    ...(input.expiresAt === undefined ? {} : { expiresAt: input.expiresAt }),
    ...(input.maxViews === undefined ? {} : { maxViews: input.maxViews }),
    ...(typeof isPublic === 'boolean' ? { isPublic } : {}),
    ...(typeof input.favourite === 'boolean' ? { favourite: input.favourite } : {}),
    ...(input.notify === undefined ? {} : { notify: input.notify }),
  };
}
