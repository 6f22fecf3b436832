import { z } from 'zod';
import type { Passkey } from '../../../db/account/passkey.js';
import { iso, isoOrNull } from '../../base/text/dates.js';

/** A passkey in the API (contract §7). */
export const passkeyRecord = z.object({
  id: z.int(),
  name: z.string(),
  /** Whether it exists on other devices of its holder, too. */
  backedUp: z.boolean(),
  transports: z.array(z.string()),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedIp: z.string().nullable(),
});
export type PasskeyRecord = z.output<typeof passkeyRecord>;

/** Builds the record. */
export const toRecord = (passkey: Passkey): PasskeyRecord => ({
  id: passkey.id,
  name: passkey.name,
  backedUp: passkey.backedUp,
  transports: [...passkey.transports],
  createdAt: iso(passkey.createdAt),
  lastUsedAt: isoOrNull(passkey.lastUsedAt),
  lastUsedIp: passkey.lastUsedIp,
});
