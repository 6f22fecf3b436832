import { z } from 'zod';
import { LIMIT_TYPES } from '../../../db/account/limits.js';
import { fail, found } from '../../base/errors.js';
import { ROLES } from '../../base/roles.js';
import {
  entryRulesInput,
  entryRulesOf,
  ownEntryRules,
  setSiteRules,
  siteEntryRules,
  siteRules,
  toOwnEntryRules,
} from '../../core/entry/entry-rules.js';
import { uidInput } from '../../core/items/ids.js';
import { filePackLimits, requirePackFits, requireQuota } from '../../core/quotas/spend.js';
import { admin, router, signedIn } from '../../core/trpc.js';
import {
  allRoles,
  clearUser,
  pause,
  policyOfUser,
  resume,
  setRole,
  setRoleEntry,
  setUser,
  toUserPolicy,
} from './policies.js';
import { packRecord, policyInput, rolePolicy, rulesRecord, usageRecord, userPolicy } from './records.js';

const byUid = z.object({ uid: uidInput });

const preflightInput = z.object({
  type: z
    .string()
    .nullish()
    .transform((value) => value?.trim().toUpperCase() || null)
    .pipe(z.enum(LIMIT_TYPES).nullable()),
  count: z
    .int()
    .nullish()
    .transform((value) => value ?? 0),
  bytes: z
    .int()
    .nullish()
    .transform((value) => value ?? 0),
});

const pauseInput = byUid.extend({
  durationMinutes: z.number().nullish(),
  indefinite: z.boolean().nullish(),
});

/** How much accounts may create and store (contract §6, Limits). */
export const limitsRouter = router({
  /** How large one pack of files of the caller may be. */
  filePack: signedIn(null)
    .output(packRecord)
    .query(({ ctx }) => filePackLimits(ctx.app, ctx.account.id)),

  /** What the caller may create, and what of it is used. */
  mine: signedIn('account:read')
    .output(
      z.object({
        effective: rulesRecord,
        usage: usageRecord,
        filePackLimits: packRecord,
        paused: z.boolean(),
        pausedUntil: z.iso.datetime().nullable(),
        entry: ownEntryRules,
      }),
    )
    .query(async ({ ctx }) => {
      const user = found(await ctx.app.load.user(ctx.account.id));
      const { effective, usage, effectiveFilePackLimits, paused, pausedUntil } = await toUserPolicy(
        ctx.app,
        user,
      );
      const entry = toOwnEntryRules(await entryRulesOf(ctx.app, user.id));
      return { effective, usage, filePackLimits: effectiveFilePackLimits, paused, pausedUntil, entry };
    }),

  /** Refuses, with the same text, what creating this would be refused for. */
  preflight: signedIn(null)
    .input(preflightInput)
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const { type, count, bytes } = input;
      if (type === null) fail('INVALID', 'Resource type is required');
      if (count < 1) fail('INVALID', 'Resource count must be greater than 0');
      if (bytes < 0) fail('INVALID', 'Resource size cannot be negative');
      const { db } = ctx.app;
      if (type === 'FILE') await requirePackFits(db.read, ctx.account.id, { count, bytes });
      await requireQuota(db.read, ctx.account.id, type, { count, bytes });
      return {};
    }),

  roles: admin('admin:read')
    .output(z.array(rolePolicy))
    .query(({ ctx }) => allRoles(ctx.app)),

  setRole: admin('admin:write')
    .input(
      policyInput.extend({
        role: z.string().toUpperCase().pipe(z.enum(ROLES)),
        entry: entryRulesInput.nullish(),
      }),
    )
    .output(rolePolicy)
    .mutation(({ ctx, input }) => setRole(ctx, input.role, input)),

  /** Which files are accepted from a role, and how long its items live; its limits stay as they are. */
  setRoleEntry: admin('admin:write')
    .input(entryRulesInput.safeExtend({ role: z.string().toUpperCase().pipe(z.enum(ROLES)) }))
    .output(rolePolicy)
    .mutation(({ ctx, input: { role, ...rules } }) => setRoleEntry(ctx, role, rules)),

  /** Which files are accepted from everybody, and how long items live. */
  site: admin('admin:read')
    .output(siteEntryRules)
    .query(({ ctx }) => siteRules(ctx.app)),

  setSite: admin('admin:write')
    .input(entryRulesInput)
    .output(siteEntryRules)
    .mutation(({ ctx, input }) => setSiteRules(ctx, input)),

  ofUser: admin('admin:read')
    .input(byUid)
    .output(userPolicy)
    .query(({ ctx, input }) => policyOfUser(ctx, input.uid)),

  setUser: admin('admin:write')
    .input(policyInput.extend(byUid.shape))
    .output(userPolicy)
    .mutation(({ ctx, input }) => setUser(ctx, input.uid, input)),

  clearUser: admin('admin:write')
    .input(byUid)
    .output(userPolicy)
    .mutation(({ ctx, input }) => clearUser(ctx, input.uid)),

  pause: admin('admin:write')
    .input(pauseInput)
    .output(userPolicy)
    .mutation(({ ctx, input }) => {
      const { uid, durationMinutes, indefinite } = input;
      if (indefinite === true) return pause(ctx, uid, null);
      const minutes = durationMinutes ?? 0;
      if (!(minutes >= 1)) fail('INVALID', 'durationMinutes must be greater than zero');
      return pause(ctx, uid, minutes);
    }),

  resume: admin('admin:write')
    .input(byUid)
    .output(userPolicy)
    .mutation(({ ctx, input }) => resume(ctx, input.uid)),
});
