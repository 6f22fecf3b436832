import { z } from 'zod';
import { insertPastes, type Paste } from '../../../db/content/paste.js';
import { fail } from '../../base/errors.js';
import { isAdmin } from '../../base/roles.js';
import { cutName } from '../../base/text/cut.js';
import { wishedEndInput } from '../../base/text/dates.js';
import type { AccountContext } from '../../core/context.js';
import { hashOfText } from '../../core/entry/entry.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { storing } from '../../core/items/create.js';
import { takeCreations } from '../../core/items/creation-rate.js';
import { displayName } from '../../core/items/file-names.js';
import { customIdInput, insertUnderId } from '../../core/items/ids.js';
import { hashItemPassword, itemPasswordInput } from '../../core/items/item-password.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { refuseClear, requireArmor, sealInput, sealOf } from '../../core/items/seal.js';
import { tagsInput } from '../../core/items/tags.js';
import { notifyInput } from '../../core/telling/input.js';
import { deliverEmitted } from '../../core/webhook/emit.js';
import { pasteItem } from '../../core/webhook/events.js';
import { filesInput, requireOne, sentBytes, textsIn, UNWRITTEN, writtenAs } from './files.js';
import { blankToNull, languageInput, MAX_TITLE_LENGTH, titleInput } from './text.js';

/** Fields of a new paste. */
export const createInput = z.object({
  ...sealInput,
  text: z.string().optional(),
  /** Several texts with names, instead of one. */
  files: filesInput,
  title: titleInput,
  /** Used as the title of an uploaded file that has no title. */
  fileName: z.string().nullish(),
  /** Administrators only. */
  uniqueId: customIdInput,
  private: z.boolean().nullish(),
  password: itemPasswordInput,
  expiresAt: wishedEndInput,
  language: languageInput,
  burn: z.boolean().nullish(),
  tags: tagsInput.optional(),
  notify: notifyInput,
});

/** A file name as a title; a long one keeps its extension, which tells what it is. */
const fileTitle = (name: string | null | undefined): string | null => {
  const shown = displayName(name ?? null);
  return shown === null ? null : cutName(shown, MAX_TITLE_LENGTH);
};

/** Creates a paste of the caller, by the statements of those that come at the same time. */
export async function createPaste(ctx: AccountContext, input: z.output<typeof createInput>): Promise<Paste> {
  const { app, account } = ctx;
  await takeCreations(app, account.id, { bytes: sentBytes(input) });
  if (input.uniqueId !== null && !isAdmin(account.role))
    fail('INVALID', 'Only administrators can choose the id of a paste');
  const seal = sealOf(input);
  const { title, language, tags, files } = input;
  refuseClear(seal, { language, files });
  if (input.text === undefined && !files)
    fail('INVALID', 'text: send the text in "text", or a file in "file"');
  requireOne(input);
  const text = writtenAs(UNWRITTEN, { text: input.text, files, language: language ?? undefined });
  requireArmor(seal, text.content);
  const expiresAt = endOfNew(await entryRulesOf(app, account.id), input.expiresAt);
  const passwordHash = await hashItemPassword(app, account.id, input.password);
  const paste = await insertUnderId(app.db, input.uniqueId, (uniqueId) =>
    app.creations.paste({
      item: {
        uniqueId,
        ownerId: account.id,
        isPublic: input.private !== true,
        passwordHash,
        createdAt: Date.now(),
        expiresAt,
        title: blankToNull(title) ?? (seal === null ? fileTitle(input.fileName) : null),
        burn: input.burn === true,
        notify: input.notify,
        seal,
        ...text,
      },
      tags,
      watched: account.hasWebhook,
    }),
  );
  deliverEmitted(ctx);
  return paste;
}

/** Stores new pastes in one transaction. */
export const storePastes = storing({
  ...{ type: 'PASTE', event: 'paste.created', insert: insertPastes, itemOf: pasteItem },
  counted: (paste) => ({ bytes: paste.size, hashes: textsIn(paste).map(hashOfText) }),
});
