import { z } from 'zod';
import {
  allStoredRules,
  EVERYBODY,
  NO_ENTRY_RULES,
  rulesForEverybody,
  type StoredEntryRules,
  setStoredRules,
  storedRulesFor,
} from '../../../db/account/entry-rules.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { rule } from '../../base/language/rules.js';
import type { Role } from '../../base/roles.js';
import {
  patternsOf,
  readTypeRules,
  TypeRuleInvalid,
  type TypeRules,
  togetherWith,
  typesInWords,
} from '../../base/text/media-types.js';
import { lockAdmin } from '../accounts/people.js';
import { audit } from '../audit.js';
import type { AccountContext, Services } from '../context.js';
import type { Settings } from '../settings.js';

const MAX_TYPES = 100;
const MAX_DAYS = 36_500;

/** What may come in from an account, and how long it may stay. */
export interface EntryRules {
  readonly types: TypeRules;
  readonly lives: Settings['lives'];
}

const days = z
  .int('use a whole number of days, or null for none')
  .min(1, 'use at least one day, or null for none')
  .max(MAX_DAYS)
  .nullish()
  .transform((value) => value ?? null);

/** Rules as administrators send them; what is absent is not restricted. */
export const entryRulesInput = z
  .object({
    types: z
      .array(z.string().trim().toLowerCase().max(150))
      .max(MAX_TYPES, rule('name at most {max} types', { max: MAX_TYPES }))
      .nullish()
      .transform((types) => [...new Set((types ?? []).filter((type) => type !== ''))])
      .superRefine((types, ctx) => {
        try {
          readTypeRules(types);
        } catch (error) {
          if (!(error instanceof TypeRuleInvalid)) throw error;
          ctx.addIssue({
            code: 'custom',
            message: error.message,
            params: { localizable: error.localizable },
          });
        }
      }),
    maxExpiryDays: days,
    defaultExpiryDays: days,
  })
  .refine(
    ({ maxExpiryDays, defaultExpiryDays }) =>
      maxExpiryDays === null || defaultExpiryDays === null || defaultExpiryDays <= maxExpiryDays,
    'defaultExpiryDays: must be at most maxExpiryDays',
  );

/** Rules as they are set. */
export const entryRulesRecord = z.object({
  types: z.array(z.string()),
  maxExpiryDays: z.int().nullable(),
  defaultExpiryDays: z.int().nullable(),
});
export type EntryRulesRecord = z.output<typeof entryRulesRecord>;

/** Rules that hold for an account, with the accepted types in words too; null for all. */
export const ownEntryRules = entryRulesRecord.extend({ accepted: z.string().nullable() });

/** Rules of the installation: those that administrators set, and those of its configuration, which hold as well. */
export const siteEntryRules = entryRulesRecord.extend({ configured: entryRulesRecord });

/**
 * What holds for what an account creates: each of configuration, installation and role can only restrict further; of
 * usual lives the nearest counts. Without an account, only what holds for everybody. In a
 * transaction, as it stands there; else as it was committed last.
 */
export async function entryRulesOf(
  { settings, load, db }: Pick<Services, 'settings' | 'load' | 'db'>,
  ownerId: number | null,
  trx?: Queryable,
): Promise<EntryRules> {
  const stored =
    ownerId === null
      ? await rulesForEverybody(trx ?? db.read)
      : trx === undefined
        ? await load.entryRules(ownerId)
        : (await storedRulesFor(trx, [ownerId]))[0];
  return (stored ?? []).reduce<EntryRules>(
    ({ types, lives }, rules) => ({
      types: togetherWith(types, readTypeRules(rules.types)),
      lives: livesTogether(lives, rules),
    }),
    { types: settings.uploadTypes, lives: settings.lives },
  );
}

function livesTogether(lives: Settings['lives'], stored: StoredEntryRules): Settings['lives'] {
  const most = [lives.maxExpiryDays, stored.maxExpiryDays].filter((value) => value !== null);
  const maxExpiryDays = most.length === 0 ? null : Math.min(...most);
  const usual = stored.defaultExpiryDays ?? lives.defaultExpiryDays;
  return {
    maxExpiryDays,
    defaultExpiryDays: usual === null || maxExpiryDays === null ? usual : Math.min(usual, maxExpiryDays),
  };
}

/** The rules as they are sent to the account for which they hold. */
export const toOwnEntryRules = ({ types, lives }: EntryRules): z.output<typeof ownEntryRules> => ({
  types: patternsOf(types),
  ...lives,
  accepted: typesInWords(types),
});

const toRecord = ({ types, maxExpiryDays, defaultExpiryDays }: StoredEntryRules): EntryRulesRecord => ({
  types: [...types],
  maxExpiryDays,
  defaultExpiryDays,
});

/** The rules that are set for each role. */
export async function entryRulesByRole({
  db,
}: Pick<Services, 'db'>): Promise<(role: Role) => EntryRulesRecord> {
  const all = await allStoredRules(db.read);
  return (role) => toRecord(all.get(role) ?? NO_ENTRY_RULES);
}

/** The rules of the installation. */
export async function siteRules({
  db,
  settings,
}: Pick<Services, 'db' | 'settings'>): Promise<z.output<typeof siteEntryRules>> {
  const all = await allStoredRules(db.read);
  return {
    ...toRecord(all.get(EVERYBODY) ?? NO_ENTRY_RULES),
    configured: { types: patternsOf(settings.uploadTypes), ...settings.lives },
  };
}

/** Sets the rules of the installation, which hold for everybody. */
export async function setSiteRules(
  ctx: AccountContext,
  rules: StoredEntryRules,
): Promise<z.output<typeof siteEntryRules>> {
  await ctx.app.db.write(async (trx) => {
    await lockAdmin(ctx.app, trx, ctx.account.id);
    await setStoredRules(trx, EVERYBODY, rules);
    await audit(ctx, trx, 'limits.site.changed');
  });
  return siteRules(ctx.app);
}
