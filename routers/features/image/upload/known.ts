import { z } from 'zod';
import { type KnownContent, knownContents } from '../../../../db/content/file/known-image.js';
import { rule } from '../../../base/language/rules.js';
import type { AccountContext } from '../../../core/context.js';

/** How many contents can be asked about at once. */
const MAX_ASKED = 1_000;

/** Contents that are asked about, by their hashes. */
export const knownInput = z.object({
  sha256: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[0-9a-f]{64}$/, 'use SHA-256 hashes of 64 hexadecimal digits'),
    )
    .max(MAX_ASKED, rule('ask about at most {max} contents at once', { max: MAX_ASKED })),
  /** Whether files count that have an end or a limit of views: for what was sent just now. */
  ending: z.boolean().nullish(),
});

/** A content, and the file of the caller that has it. */
export const knownFile = z.object({ sha256: z.string(), uniqueId: z.string() });

/**
 * The caller's own files among these contents, so that nothing is sent twice, and only lasting ones unless `ending` is
 * set: what joins a collection in the place of a new file must not go away before it. Nobody learns what others have. A file
 * from which metadata was removed is found by the hash of what was sent, too.
 */
export const knownFiles = (
  { app, account }: AccountContext,
  { sha256, ending }: z.output<typeof knownInput>,
): Promise<KnownContent[]> =>
  knownContents(app.db, account.id, [...new Set(sha256)], { ending: ending === true });
