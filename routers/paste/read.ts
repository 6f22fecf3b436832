import { z } from 'zod';
import type { Paste } from '../../db/paste.js';
import { authorise, requireLiving } from '../access.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';
import { uniqueIdInput } from '../ids.js';
import { shownPasswordInput } from '../item-password.js';
import { deletePaste } from './delete.js';
import { type PasteRecord, readerRecord, toPasteRecord } from './record.js';

export const readInput = z.object({ uniqueId: uniqueIdInput, password: shownPasswordInput });
export type ReadInput = z.output<typeof readInput>;

/** A paste the caller may read; 404 and 403 as the contract says. */
async function openPaste(ctx: Context, input: ReadInput): Promise<Paste> {
  const paste = found(await ctx.app.load.paste(input.uniqueId));
  if (paste.expiresAt !== null) await requireLiving(ctx, paste);
  await authorise(ctx, 'paste', paste, input.password);
  return paste;
}

/** Reads a paste; one that can be read once is refused until somebody confirms, so that no preview burns it. */
export async function getPaste(ctx: Context, input: ReadInput): Promise<PasteRecord> {
  const paste = await openPaste(ctx, input);
  if (paste.burn) fail('CONFIRM_BURN');
  return readerRecord(ctx.app, paste);
}

/** Reads a paste after a deliberate act; a burn paste is deleted by it, for exactly one of many readers. */
export async function confirmPaste(ctx: Context, input: ReadInput): Promise<PasteRecord> {
  const paste = await openPaste(ctx, input);
  const record = await toPasteRecord(ctx.app, paste);
  if (paste.burn) await deletePaste(ctx.app, paste);
  return record;
}
