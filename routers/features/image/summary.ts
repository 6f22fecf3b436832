import { z } from 'zod';
import { totalsByKind } from '../../../db/statistics/stats.js';
import { fail } from '../../base/errors.js';
import { accountOf } from '../../core/accounts/people.js';
import type { AccountContext } from '../../core/context.js';
import { effectiveRules } from '../../core/quotas/rules.js';

/** The files of an account; `maxBytes` null for any number. */
export const fileSummary = z.object({
  username: z.string(),
  email: z.string(),
  files: z.int(),
  bytes: z.int(),
  maxBytes: z.int().nullable(),
});

/** Whose files the caller's are, how many, and how much they may take. */
export async function summariseFiles({
  app,
  account,
}: AccountContext): Promise<z.output<typeof fileSummary>> {
  const { username, email } = await accountOf(app, account.id);
  const { image } = await totalsByKind(app.db, account.id);
  const standing = (await app.load.standing(account.id)) ?? fail('UNAUTHENTICATED');
  const { storageBytes } = effectiveRules(standing).TOTAL;
  return { username, email, files: image.items, bytes: image.bytes, maxBytes: storageBytes };
}
