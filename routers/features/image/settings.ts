import { z } from 'zod';
import { updateUser } from '../../../db/account/account.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { signedIn } from '../../core/trpc.js';
import { metadataPolicyOf } from './upload/upload.js';

const metadata = z.enum(['strip', 'location', 'keep']);
/** Which metadata is removed from later uploads. */
export const mediaSettings = z.object({ metadata });

/** Which metadata is removed from an account's later uploads: all, only the location, or none. */
export const settingsProcedures = {
  mediaSettings: signedIn('images:read')
    .output(mediaSettings)
    .query(async ({ ctx }) => ({ metadata: await metadataPolicyOf(ctx.app, ctx.account.id) })),

  /** An absent field stays the same; null and "" restore the default. */
  changeMediaSettings: signedIn('images:write')
    .input(
      z.object({
        metadata: z
          .string()
          .toLowerCase()
          .pipe(metadata.or(z.literal('')))
          .nullish(),
      }),
    )
    .output(mediaSettings)
    .mutation(async ({ ctx, input }) => {
      if (input.metadata !== undefined) {
        const metadataPolicy = input.metadata || 'strip';
        await setMetadataPolicy(ctx, metadataPolicy);
      }
      return { metadata: await metadataPolicyOf(ctx.app, ctx.account.id) };
    }),
};

async function setMetadataPolicy(ctx: AccountContext, metadataPolicy: string): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    if (user.metadataPolicy === metadataPolicy) return;
    await updateUser(trx, user.id, { metadataPolicy });
    await audit(ctx, trx, 'settings.changed', { subject: user.id, info: { fields: 'metadata' } });
  });
}
