import { fail } from '../../base/errors.js';
import type { Context } from '../../core/context.js';
import type { BeginInput } from './begin-input.js';
import { guestPurpose, isForRequest } from './guest.js';
import { imagePurpose } from './image.js';
import type { Purpose } from './purpose.js';

/** Every purpose; each upload has one. */
const PURPOSES: readonly Purpose[] = [imagePurpose, guestPurpose];

/** The purpose of a new upload, by what the client sent. */
export const purposeFor = async (ctx: Context, input: BeginInput): Promise<Purpose> =>
  (await isForRequest(ctx, input)) ? guestPurpose : imagePurpose;

/** The purpose with this name; one of a later version is refused. */
export const purposeNamed = (name: string): Purpose =>
  PURPOSES.find((purpose) => purpose.name === name) ?? fail('NOT_AVAILABLE');
