import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { insertUpload } from '../../../db/content/upload/upload.js';
import { fail } from '../../base/errors.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { Context, Services } from '../../core/context.js';
import { displayName } from '../../core/items/file-names.js';
import { hashSecret } from '../../core/secrets.js';
import { refuseSize } from '../image/public.js';
import { type Appended, append, appendedRecord } from './append.js';
import type { BeginInput } from './begin-input.js';
import { deleteWithParts } from './end.js';
import { UNSENT_MS } from './find.js';
import type { Admitted, Purpose } from './purpose.js';
import { purposeFor } from './purposes.js';

/** What a new upload is, besides its bytes. */
type Described = Pick<BeginInput, 'length' | 'filename' | 'filetype' | 'metadata'>;

/** Where an upload continues. The address is a secret. */
export const begunRecord = appendedRecord.extend({ url: z.url() });
type Begun = z.output<typeof begunRecord>;

/**
 * Begins an upload that arrives in several requests, with its first bytes if the request brings any. Checks what can
 * be checked of an ordinary upload before its bytes are there.
 */
export async function begin(ctx: Context, input: BeginInput): Promise<Begun> {
  const { app } = ctx;
  const { settings } = app;
  const purpose = await purposeFor(ctx, input);
  const admitted = await purpose.admit(ctx, input);
  requireType(input);
  const { id, secret, expiresAt } = await openUpload(app, purpose, admitted, input);
  const url = `${settings.baseUrl}/image/upload/resumable/${secret}`;
  try {
    return { url, ...(await firstBytes(ctx, secret, input, expiresAt)) };
  } catch (error) {
    // The client does not learn the address, so nobody will continue it.
    await deleteWithParts(app, id);
    throw error;
  }
}

/** An upload that has begun. */
export interface Opened {
  readonly id: number;
  readonly secret: string;
  readonly expiresAt: number;
}

/** Records a new upload that was admitted, unless it is too large or its owner has too many. */
export async function openUpload(
  app: Services,
  purpose: Purpose,
  admitted: Admitted,
  { length, filename, filetype, metadata }: Described,
): Promise<Opened> {
  const { settings } = app;
  const { ownerId, fields, sentFrom = null, isSealed = false } = admitted;
  if (length === 0) fail('FILE_EMPTY');
  if ((length ?? 0) > settings.maxUploadBytes) refuseSize(settings);
  const createdAt = Date.now();
  const expiresAt = createdAt + UNSENT_MS[purpose.name];
  const secret = randomBytes(16).toString('base64url');
  const id = await app.db.write(async (trx) => {
    await lockAccount(app, trx, ownerId);
    await purpose.requirePlace(app, trx, admitted, { at: createdAt, length });
    await purpose.requireQuota(trx, ownerId, { count: 1, bytes: length ?? 0 });
    return insertUpload(trx, {
      secretHash: hashSecret(secret),
      ownerId,
      purpose: purpose.name,
      fields,
      metadata: metadata && !isSealed ? app.secrets.encrypt(metadata) : null,
      filename: isSealed ? null : displayName(filename ?? null),
      filetype: isSealed ? null : (filetype ?? null),
      length,
      sentFrom,
      createdAt,
      expiresAt,
    });
  });
  return { id, secret, expiresAt };
}

/** Bytes that come with the creation must be of the protocol's type. */
function requireType({ part }: BeginInput): void {
  if (part && !part.isTyped && (part.announced ?? 0) > 0) fail('UPLOAD_TYPE');
}

function firstBytes(
  ctx: Context,
  secret: string,
  { part, checksum, length }: BeginInput,
  expiresAt: number,
): Promise<Appended> | Appended {
  if (!part?.isTyped || part.announced === 0)
    return { offset: 0, length, expiresAt: new Date(expiresAt).toISOString() };
  return append(ctx, { secret, offset: 0, length: null, checksum: checksum ?? null, part });
}
