import { z } from 'zod';
import { updateUser } from '../../../db/account/account.js';
import { LANGUAGES, languageNamed } from '../../base/language/languages.js';
import { accountOf, lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { signedIn } from '../../core/trpc.js';

/** The language in which an account reads pages and mails; null: as its browser asks. */
export const languageSettings = z.object({ language: z.enum(LANGUAGES).nullable() });

/** Reading and changing it. An absent field stays the same; null and "" take the choice back. */
export const languageProcedures = {
  languageSettings: signedIn('account:read')
    .output(languageSettings)
    .query(async ({ ctx }) => ({
      language: languageNamed((await accountOf(ctx.app, ctx.account.id)).language),
    })),

  patchLanguageSettings: signedIn('account:write')
    .input(
      z.object({
        language: z
          .string()
          .toLowerCase()
          .pipe(z.enum([...LANGUAGES, '']))
          .nullish(),
      }),
    )
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      if (input.language !== undefined) await setLanguage(ctx, input.language || null);
      return {};
    }),
};

async function setLanguage(ctx: AccountContext, language: string | null): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    if (user.language === language) return;
    await updateUser(trx, user.id, { language });
    await audit(ctx, trx, 'settings.changed', { subject: user.id, info: { fields: 'language' } });
  });
}
