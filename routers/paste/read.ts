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

/** Texts up to this many bytes are not counted. */
const SMALL_BYTES = 16 * 1024;
/** What a text takes at most of the memory for texts, by its size: a control character as JSON, or `&` on a page. */
const ANSWER_FACTOR = 6;
/** Long texts in answers of a process, from being read until the last client has taken them. */
export const TEXT_MEMORY_BYTES = 256 * 1024 * 1024;

/** A paste the caller may read; 404 and 403 as the contract says. */
async function openPaste(ctx: Context, input: ReadInput): Promise<Paste> {
  const paste = found(await ctx.app.load.paste(input.uniqueId));
  if (paste.expiresAt !== null) await requireLiving(ctx, paste);
  await authorise(ctx, 'paste', paste, input.password);
  if (paste.size > SMALL_BYTES) holdText(ctx, paste.size);
  return paste;
}

/** Counts a long text until the caller has taken it. 503 while too much has not been taken, by the caller or by all. */
function holdText(ctx: Context, size: number): void {
  const held = ctx.app.textMemory.take(ANSWER_FACTOR * size, ctx.network);
  ctx.whenOver(held ?? fail('UNAVAILABLE', { retryAfter: 1 }));
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
