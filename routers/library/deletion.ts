import { z } from 'zod';
import { KINDS } from '../../db/content.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';
import { uniqueIdInput } from '../ids.js';
import { isDeletionToken } from '../links.js';
import { removeItem } from '../remove-item.js';

/** An item, and the secret of the deletion link that its creator was given. */
export const deletionInput = z.object({
  kind: z.enum(KINDS),
  uniqueId: uniqueIdInput,
  token: z.string().max(200),
  /** Only tells, by not refusing, that the link would work. */
  peek: z.boolean().default(false),
});
type Deletion = z.output<typeof deletionInput>;

/** Deletes an item for whoever has its deletion link; a wrong token is answered like an unknown item, with 404. */
export async function deleteByLink(
  { app }: Context,
  { kind, uniqueId, token, peek }: Deletion,
): Promise<void> {
  const key = uniqueId.toLowerCase();
  const item = found(await app.load[kind](key));
  if (!isDeletionToken(app, kind, item, token)) fail('NOT_FOUND');
  if (!peek) await removeItem[kind](app, item);
}
