import { z } from 'zod';
import { type FoundPaste, type Paste, textsOf } from '../../../db/content/paste.js';
import type { FileLayout } from '../../../db/content/paste-files.js';
import { fail, found } from '../../base/errors.js';
import { authorise, canEnd, requireLiving, shownTo } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { holdAnswer } from '../../core/large-answer.js';
import { lastOpening, noteViewed } from '../../core/telling/opened.js';
import { deletePaste } from './delete.js';
import { fileInput, ofFile } from './files.js';
import { type PasteRecord, readerRecord, toPasteRecord } from './record.js';

/** A paste, and the password that opens it. */
export const readInput = z.object({ uniqueId: uniqueIdInput, password: shownPasswordInput });
type ReadInput = z.output<typeof readInput>;
/** As `readInput`, for one of several files. */
export const readFileInput = readInput.extend(fileInput);
type ReadFileInput = z.output<typeof readFileInput>;

/** Maximum growth of a text in a response: a control character in JSON, or `&` on a page. */
const ANSWER_FACTOR = 6;
/** That of a text which may be in it twice: as the first of the files, and as the text of the paste. */
export const growthOf = ({ fileNames }: FileLayout): number => (fileNames === null ? 1 : 2) * ANSWER_FACTOR;

/** A paste that the caller may read; 404 or 403 otherwise. A long text is read only once memory is reserved. */
export async function openPaste(ctx: Context, input: ReadInput): Promise<Paste> {
  const paste = found(await ctx.app.load.paste(input.uniqueId));
  if (canEnd(paste)) await requireLiving(ctx, 'paste', paste);
  await authorise(ctx, 'paste', paste, input.password);
  return hasText(paste) ? paste : withText(ctx, paste);
}

/** A paste with its text, for which memory is reserved before it is read if it is long. */
export async function withText(ctx: Context, paste: FoundPaste): Promise<Paste> {
  if (hasText(paste)) return paste;
  holdAnswer(ctx, growthOf(paste) * paste.size);
  const texts = await textsOf(ctx.app.db, [paste.id]);
  return { ...paste, content: found(texts.get(paste.id) ?? null) };
}

const hasText = (paste: FoundPaste): paste is Paste => paste.content !== null;

/** Reads a paste. A burn-after-reading one is refused until the reader confirms, so that previews do not burn it. */
export async function getPaste(ctx: Context, input: ReadFileInput): Promise<PasteRecord> {
  const paste = await openPaste(ctx, input);
  if (paste.burn) fail('CONFIRM_BURN');
  const shown = await shownTo(ctx, 'paste', paste);
  const record = await (shown.counted ? toPasteRecord(ctx.app, paste, shown) : readerRecord(ctx.app, paste));
  const read = ofFile(record, input.file);
  noteView(ctx, paste);
  return read;
}

/** Reads a paste after confirmation and deletes a burn-after-reading paste; only one of several readers gets that. */
export async function confirmPaste(ctx: Context, input: ReadFileInput): Promise<PasteRecord> {
  const paste = await openPaste(ctx, input);
  const shown = await toPasteRecord(ctx.app, paste, await shownTo(ctx, 'paste', paste));
  const record = ofFile(shown, input.file);
  if (paste.burn) await deletePaste(ctx.app, paste, await lastOpening(ctx, 'paste', paste));
  else noteView(ctx, paste);
  return record;
}

/** Counts that a paste was opened. */
export function noteView(ctx: Context, paste: Paste): void {
  if (ctx.opens) noteViewed(ctx, 'paste', paste);
}
