import { z } from 'zod';
import { storedExtension } from '../../base/ports/media/formats.js';
import { uidInput } from '../../core/items/ids.js';

const MAX_USERS = 100;
/** An empty list is no filter. */
const users = z
  .array(z.coerce.number().pipe(uidInput))
  .max(MAX_USERS)
  .nullish()
  .transform((list) => (list?.length ? list : null));
const count = z.int().min(0).nullish();

/** Types as they are stored: `jpg` for JPEG. An empty list is no filter. */
export const formatsInput = z
  .array(z.string().trim().toLowerCase().max(16).transform(storedExtension))
  .max(50)
  .nullish()
  .transform((list) => (list === null || list === undefined || list.length === 0 ? null : list));

/** Filters that every list of administrators has. */
export const filterInput = {
  uniqueId: z
    .string()
    .trim()
    .max(64)
    .nullish()
    .transform((id) => (id ? id : null)),
  includeUsers: users,
  excludeUsers: users,
  /** Only what its owner has deleted and could still restore. */
  trashed: z.boolean().nullish(),
};

/** Filters of images; `R2` is what older clients call the object store. */
export const imageFilterInput = {
  formats: formatsInput,
  location: z
    .string()
    .trim()
    .toUpperCase()
    .transform((location) => (location === 'R2' ? 'S3' : location))
    .pipe(z.enum(['LOCAL', 'S3']))
    .nullish(),
};

/** Filters of links. */
export const urlFilterInput = {
  minVisits: count,
  maxVisits: count,
  /** -1 for links without a limit. */
  maxUses: z.int().min(-1).nullish(),
  /** Expired or used up, or neither. */
  expired: z.boolean().nullish(),
};
