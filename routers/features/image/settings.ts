import { z } from 'zod';
import { type UserChange, updateUser } from '../../../db/account/account.js';
import { accountOf, lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { signedIn } from '../../core/trpc.js';
import { metadataPolicyOf } from './upload/upload.js';
import { accountReads } from './words.js';

const metadata = z.enum(['strip', 'location', 'keep']);
/** Which metadata is removed from later uploads, and whether words in pictures are read where that is on. */
export const mediaSettings = z.object({ metadata, ocr: z.boolean() });

/** Which metadata is removed from an account's later uploads (all, only the location, or none), and what is read in them. */
export const settingsProcedures = {
  mediaSettings: signedIn('images:read')
    .output(mediaSettings)
    .query(({ ctx }) => settingsOf(ctx)),

  /** An absent field stays the same; null and "" restore the default. */
  changeMediaSettings: signedIn('images:write')
    .input(
      z.object({
        metadata: z
          .string()
          .toLowerCase()
          .pipe(metadata.or(z.literal('')))
          .nullish(),
        ocr: z.boolean().nullish(),
      }),
    )
    .output(mediaSettings)
    .mutation(async ({ ctx, input }) => {
      await change(ctx, {
        ...(input.metadata === undefined ? {} : { metadataPolicy: input.metadata || 'strip' }),
        ...(input.ocr === undefined ? {} : { ocr: input.ocr ?? true }),
      });
      return settingsOf(ctx);
    }),
};

async function settingsOf({ app, account }: AccountContext): Promise<z.output<typeof mediaSettings>> {
  const { ocr } = await accountOf(app, account.id);
  return { metadata: await metadataPolicyOf(app, account.id), ocr };
}

async function change(ctx: AccountContext, asked: Pick<UserChange, 'metadataPolicy' | 'ocr'>): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    const fields = [
      ...(asked.metadataPolicy !== undefined && asked.metadataPolicy !== user.metadataPolicy
        ? ['metadata']
        : []),
      ...(asked.ocr !== undefined && asked.ocr !== user.ocr ? ['ocr'] : []),
    ];
    if (fields.length === 0) return;
    await updateUser(trx, user.id, asked);
    if (fields.includes('ocr')) await accountReads(app, trx, asked.ocr === true);
    await audit(ctx, trx, 'settings.changed', { subject: user.id, info: { fields: fields.join(' ') } });
  });
  app.jobs.kick();
}
