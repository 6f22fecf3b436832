import { z } from 'zod';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { requireLiving } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { requireAllowed } from '../../core/policies.js';
import { countLinkView, enterLink, findLink, sharedInput } from '../../core/sharing/enter.js';
import type { FindSharing } from '../../core/sharing/links.js';
import { noteViewed } from '../../core/telling/opened.js';
import { fileInput, ofFile } from './files.js';
import { withText } from './read.js';
import { type PasteRecord, readerRecord } from './record.js';

/** The paste of the caller that is to be shared; one that is read once is gone after the first reader. */
export const findShared: FindSharing = async ({ app, account }, uniqueId) => {
  const paste = found(await app.load.paste(uniqueId));
  requireAllowed(account, 'manage', 'paste', paste);
  return {
    kind: 'paste',
    id: paste.id,
    refuses: ({ renditionsOnly }) => {
      if (paste.burn) return localizable('A paste that can be read once has no share links');
      return renditionsOnly ? localizable('Only pictures can be shown in a smaller size') : null;
    },
  };
};

/** The secret of a link, whether only its head is asked for, and one of several files. */
export const sharedPasteInput = sharedInput.extend({ head: z.boolean().default(false), ...fileInput });

/** The paste that a share link opens; counts a view of the link and of the paste unless `head` only asks. */
export async function sharedPaste(
  ctx: Context,
  { secret, head, file, ...shown }: z.output<typeof sharedPasteInput>,
): Promise<PasteRecord> {
  const link = await findLink(ctx, 'paste', secret);
  const paste = found(link.uniqueId === null ? null : await ctx.app.load.paste(link.uniqueId));
  if (paste.id !== link.of.id) fail('NOT_FOUND');
  const by = await enterLink(ctx, link, paste, shown);
  await requireLiving(ctx, 'paste', paste);
  const record = ofFile(await readerRecord(ctx.app, await withText(ctx, paste)), file);
  if (!head && (await countLinkView(ctx, by))) noteViewed(ctx, 'paste', paste, by);
  return record;
}
