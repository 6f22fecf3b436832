import { z } from 'zod';
import { only } from '../../../db/content/content.js';
import { lockContent } from '../../../db/content/content-edit.js';
import { fail, found } from '../../base/errors.js';
import { isOpen } from '../../core/access.js';
import type { AccountContext } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { takeCreations } from '../../core/items/creation-rate.js';
import { insertUnderId } from '../../core/items/ids.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { refuseClear } from '../../core/items/seal.js';
import { requireScope } from '../../core/scopes.js';
import { deliverEmitted } from '../../core/webhook/emit.js';
import { storePastes } from './create.js';
import { openPaste, readInput } from './read.js';
import { type PasteRecord, toPasteRecord } from './record.js';
import { blankToNull, titleInput } from './text.js';

/** The paste, its password if it has one, and what differs in the fork. */
export const forkInput = readInput.extend({ title: titleInput, private: z.boolean().nullish() });

/**
 * Makes a new paste of the caller with the text of one that the caller may read. What is not open to everybody stays
 * private in the fork unless the caller says otherwise.
 */
export async function forkPaste(
  ctx: AccountContext,
  input: z.output<typeof forkInput>,
): Promise<PasteRecord> {
  const { app, account } = ctx;
  // A fork is read, too: its text is in the answer.
  requireScope(account, 'pastes:read');
  const source = await openPaste(ctx, input);
  if (source.burn) fail('CONFIRM_BURN', 'A paste that can only be read once cannot be forked');
  refuseClear(source.seal, { title: input.title });
  await takeCreations(app, account.id, { bytes: source.size });
  const paste = await insertUnderId(app.db, null, (uniqueId) =>
    app.db.write(async (trx) => {
      // It may have been deleted since it was read.
      found(await lockContent(app.db, trx, 'paste', source.id));
      const item = {
        uniqueId,
        ownerId: account.id,
        isPublic: !(input.private ?? !isOpen(source)),
        passwordHash: null,
        createdAt: Date.now(),
        expiresAt: endOfNew(await entryRulesOf(app, account.id, trx), null),
        title: blankToNull(input.title) ?? source.title,
        content: source.content,
        size: source.size,
        language: source.language,
        fileNames: source.fileNames,
        fileParts: source.fileParts,
        burn: false,
        seal: source.seal,
        forkedFromId: source.id,
      };
      return only(await storePastes(app, trx, [{ item, tags: undefined, watched: account.hasWebhook }]));
    }),
  );
  deliverEmitted(ctx);
  return toPasteRecord(app, paste, { creator: true });
}
