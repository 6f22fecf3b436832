import { z } from 'zod';
import { type Changes, realChanges } from '../../../db/content/content-edit.js';
import { type Paste, type PasteRow, pasteFromRow } from '../../../db/content/paste.js';
import { keepRevision } from '../../../db/content/paste-revision.js';
import { fail, found } from '../../base/errors.js';
import { isAdmin } from '../../base/roles.js';
import { changedExpiryInput } from '../../base/text/dates.js';
import type { AccountContext } from '../../core/context.js';
import { hashOfText, requireUnblockedHashes } from '../../core/entry/entry.js';
import { changeItem } from '../../core/items/change.js';
import { customIdInput, uniqueIdInput } from '../../core/items/ids.js';
import { changedPasswordInput } from '../../core/items/item-password.js';
import { ifMatchInput } from '../../core/items/revision.js';
import { changedSeal, clearInput, refuseClear, refuseSaid, requireArmor } from '../../core/items/seal.js';
import { tagsInput } from '../../core/items/tags.js';
import { requireAllowed } from '../../core/policies.js';
import { spend } from '../../core/quotas/spend.js';
import { hasScope } from '../../core/scopes.js';
import { notifyInput } from '../../core/telling/input.js';
import { pasteItem } from '../../core/webhook/events.js';
import { filesInput, requireOne, sentBytes, textsIn, type Written, writtenAs } from './files.js';
import { type PasteRecord, toPasteRecord } from './record.js';
import { blankToNull, languageInput, titleInput } from './text.js';

/** The fields of a paste that its owner can change; absent ones stay, null and "" clear. */
export const pasteChangeInput = z.object({
  ...clearInput,
  uniqueId: uniqueIdInput,
  ifMatch: ifMatchInput,
  /** Administrators only. */
  newId: customIdInput,
  text: z.string().optional(),
  /** Null leaves the text of the first. */
  files: filesInput,
  title: titleInput,
  language: languageInput,
  private: z.boolean().nullish(),
  password: changedPasswordInput.optional(),
  expiresAt: changedExpiryInput,
  tags: tagsInput.optional(),
  favourite: z.boolean().nullish(),
  notify: notifyInput,
  sealedName: z.string().max(100_000).nullish(),
});
type PasteChange = z.output<typeof pasteChangeInput>;

/** Changes a paste of the caller and returns its record. */
export async function changePaste(
  ctx: AccountContext,
  { uniqueId, newId, text, files, title, language, sealedName, desc, originalName, ...common }: PasteChange,
): Promise<PasteRecord> {
  const paste = found(await ctx.app.load.paste(uniqueId));
  requireAllowed(ctx.account, 'change', 'paste', paste);
  if (newId !== null && !isAdmin(ctx.account.role))
    fail('INVALID', 'uniqueId: only administrators can choose the id of a paste');
  const sent = { text, files, language };
  const isWritten = Object.values(sent).some((value) => value !== undefined);
  requireOne(sent);
  refuseSaid(paste.seal, { title, desc, originalName, tags: common.tags });
  refuseClear(paste.seal, { language, files });
  if (text !== undefined) requireArmor(paste.seal, text);
  const seal = changedSeal(paste.seal, sealedName);
  const changed = await changeItem<PasteRow, Paste>(
    ctx,
    paste,
    { ...common, uniqueId: newId },
    {
      kind: 'paste',
      textBytes: sentBytes(sent) || paste.size,
      event: 'paste.updated',
      fromRow: pasteFromRow,
      eventItem: pasteItem,
      own: (row) => {
        const texts = isWritten ? columnsOf(writtenAs(pasteFromRow(row), sent)) : {};
        const { content, file_names } = texts;
        if (row.burn && Object.keys(realChanges<PasteRow>(row, { content, file_names })).length > 0)
          fail('INVALID', 'text: the text of a paste that can only be read once cannot change');
        const change = { ...texts, seal, title: title === undefined ? undefined : blankToNull(title) };
        const isSame = Object.keys(realChanges<PasteRow>(row, change)).length === 0;
        return isSame ? {} : { ...change, text_revision: row.revision + 1, written_at: Date.now() };
      },
      after: async (trx, before, now) => {
        const bytes = now.size - before.size;
        if (bytes > 0) await spend(trx, paste.ownerId, 'PASTE', { count: 0, bytes });
      },
      before: async (trx, row, columns) => {
        const { size } = { ...row, ...columns };
        if ('content' in columns || 'file_parts' in columns)
          await requireUnblockedHashes(trx, textsIn(pasteFromRow({ ...row, ...columns })).map(hashOfText));
        // What can be read once leaves no other copy.
        if ('text_revision' in columns && !row.burn) await keepRevision(trx, row.id, size);
      },
    },
  );
  // What can be read once is not read by changing its title, nor is anything by a key that may only write.
  const isUnread = changed.burn || !hasScope(ctx.account, 'pastes:read');
  return toPasteRecord(ctx.app, isUnread ? { ...changed, content: '' } : changed, { own: true });
}

const columnsOf = ({ fileNames, fileParts, ...written }: Written): Changes<PasteRow> => ({
  ...written,
  file_names: fileNames,
  file_parts: fileParts,
});
