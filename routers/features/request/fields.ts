import { z } from 'zod';
import { WALLS } from '../../../db/content/upload/upload-request.js';
import { changedExpiryInput } from '../../base/text/dates.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { changedPasswordInput } from '../../core/items/item-password.js';
import { recipientInput } from '../../core/items/seal.js';
import { notifyOrNotInput } from '../../core/telling/input.js';

const type = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^(?:[\w.+-]{1,60}\/(?:\*|[\w.+-]{1,60})|\.[a-z0-9]{1,15})$/,
    'use types like image/*, image/png or .pdf',
  );

const limit = z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullish();

const title = z.string().trim().min(1, 'enter a title').max(200, 'a title can have at most 200 characters');

/** The fields of a request besides its title. Absent: as it is; null or "": none. */
const fields = {
  note: z.string().max(2_000, 'a note can have at most 2000 characters').nullish(),
  /** How many files may come in altogether, and how many bytes. */
  maxFiles: limit,
  maxBytes: limit,
  types: z.array(type).max(50, 'name at most 50 types').nullish(),
  expiresAt: changedExpiryInput.optional(),
  password: changedPasswordInput.optional(),
  askName: z.boolean().nullish(),
  notify: notifyOrNotInput,
  blind: z.boolean().nullish(),
  closed: z.boolean().nullish(),
  /** The collection that receives the files. */
  collection: uniqueIdInput.or(z.literal('')).nullish(),
  /** To whom guests seal what they send; without one it takes any file. */
  recipient: recipientInput,
  /** What guests see of what came in; other than "none" it overrides `blind`. */
  wall: z
    .string()
    .nullish()
    .transform((value) => (value === null ? 'none' : value?.trim().toLowerCase()))
    .pipe(z.enum(WALLS, 'use none, all or approved').optional()),
  /** What stands above the wall. */
  message: z.string().trim().max(500, 'a message can have at most 500 characters').nullish(),
  /** When nothing more is taken, and the wall ends. */
  ends: changedExpiryInput.optional(),
};

/** Who a guest says to be. */
export const senderInput = z.string().trim().max(100, 'a name can have at most 100 characters').nullish();

/** What a guest got for the password. */
export const ticketInput = z.string().max(400).nullish();

/** What the sender of a file takes it back with, and by which it is stored once however often it is sent. */
export const receiptInput = z
  .string()
  .regex(/^[\w-]{22,64}$/, 'a receipt has 22 to 64 letters, digits, - and _');

/** A request for files: to be created, by its id, and to be changed. */
export const createRequestInput = z.object({ title, ...fields });
export const requestInput = z.object({ uniqueId: uniqueIdInput });
export const changeRequestInput = requestInput.extend({ title: title.optional(), ...fields });

/** The fields as they are given. */
export type RequestInput = Omit<z.output<typeof changeRequestInput>, 'uniqueId'>;
