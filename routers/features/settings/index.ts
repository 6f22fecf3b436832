import { z } from 'zod';
import { takeTurn } from '../../../db/system/installation.js';
import { changeSettings, storedSettings } from '../../../db/system/setting.js';
import { fail } from '../../base/errors.js';
import { SETTING_GROUPS, type SettingGroup } from '../../base/ports/installation.js';
import { lockAdmin } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { requireOutgoing } from '../../core/outgoing.js';
import { admin, router } from '../../core/trpc.js';
import { tryMail, tryProvider } from './try.js';

const settingRecord = z.object({
  name: z.string(),
  value: z.string().nullable(),
  fixed: z.boolean(),
  secret: z.boolean(),
  set: z.boolean(),
  group: z.enum(SETTING_GROUPS),
  choices: z.array(z.string()).nullable(),
  many: z.boolean(),
  usual: z.string().nullable(),
});

const settingsRecord = z.array(settingRecord);
/** A setting as administrators see it. */
export type SettingRecord = z.output<typeof settingRecord>;

const text = z.union([z.string(), z.number(), z.boolean(), z.array(z.string().max(200)).max(50)]);
const changeInput = z
  .object({})
  .catchall(text.nullable())
  .refine((change) => Object.keys(change).length <= 200, 'use at most 200 settings');

/** Whoever changes these reads the mails and signs in as anybody, also as the owner. */
const OWNERS_ONLY: ReadonlySet<SettingGroup> = new Set(['mail', 'oidc', 'origins']);

/** What administrators set instead of variables of the environment. */
export const settingsRouter = router({
  list: admin('admin:read')
    .output(settingsRecord)
    .query(({ ctx }) => listed(ctx)),

  change: admin('admin:write')
    .input(changeInput)
    .output(settingsRecord)
    .mutation(async ({ ctx, input }) => {
      await change(ctx, input);
      return listed(ctx);
    }),

  /** Sends a mail to the caller, by what is set now, and says what became of it. */
  testMail: admin('admin:write')
    .output(z.object({ to: z.string(), through: z.string().nullable() }))
    .mutation(({ ctx }) => tryMail(ctx)),

  /** Asks a provider of sign-ins for what it says of itself, and whether it knows our client. */
  testProvider: admin('admin:write')
    .input(z.object({ name: z.string().max(64) }))
    .output(z.object({ callback: z.string() }))
    .mutation(({ ctx, input }) => tryProvider(ctx, input.name)),
});

const listed = ({ app }: AccountContext) =>
  app.installation.facts().map((fact) => ({ ...fact, choices: fact.choices && [...fact.choices] }));

async function change(ctx: AccountContext, asked: z.output<typeof changeInput>): Promise<void> {
  const { app, account } = ctx;
  const texts = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, value === null ? null : String(value)]),
  );
  const names = Object.keys(texts);
  const concerns = (group: SettingGroup) =>
    names.some((name) => app.installation.declarationOf(name)?.group === group);
  if (concerns('mail') || concerns('oidc')) requireOutgoing(app);
  await app.db.write(async (trx) => {
    const { role } = await lockAdmin(app, trx, account.id);
    if (role !== 'OWNER' && [...OWNERS_ONLY].some(concerns)) fail('OWNERS_ONLY');
    // One change at a time: two that fit alone may not fit together.
    await takeTurn(trx, 'settings');
    const { put, remove } = app.installation.plan(await storedSettings(trx), texts);
    await changeSettings(trx, put, remove);
    if (names.length > 0)
      await audit(ctx, trx, 'installation.changed', { info: { fields: names.join(' ') } });
  });
  await app.installation.refresh();
}
