import { z } from 'zod';
import {
  LIMIT_TYPES,
  type LimitType,
  type PackLimits,
  type Policy,
  RULE_FIELDS,
  type Rule,
} from '../../../db/account/limits.js';
import { NOTHING_USED } from '../../../db/account/usage.js';
import { fail } from '../../base/errors.js';
import { ROLES } from '../../base/roles.js';
import { entryRulesRecord } from '../../core/entry/entry-rules.js';
import { type Rules, rulesOf, type Usage } from '../../core/quotas/rules.js';

/** What a rule of every type has; only the one of TOTAL also has a limit of what is kept. */
const PLAIN_FIELDS = RULE_FIELDS.filter((field) => field !== 'storageBytes');

const limit = z.int('use a whole number, or null for no limit').nullish();

const ruleInput = z.object(Object.fromEntries(RULE_FIELDS.map((field) => [field, limit])));

/** A policy as administrators send it: it replaces the whole one, and what is absent is not limited. */
export const policyInput = z.object({
  limits: z.object(Object.fromEntries(LIMIT_TYPES.map((type) => [type, ruleInput.nullish()]))).nullish(),
  filePackLimits: z.object({ maxFiles: limit, maxBytes: limit }).nullish(),
});

const isBelow =
  (least: number) =>
  (value: number | null | undefined): boolean =>
    typeof value === 'number' && value < least;

/** The policy that was sent; limits that have no meaning for their type are left out. 400 for negative ones. */
export function policyFrom({ limits, filePackLimits }: z.output<typeof policyInput>): Policy {
  const values = Object.values(limits ?? {}).flatMap((rule) => Object.values(rule ?? {}));
  if (values.some(isBelow(0))) fail('INVALID', 'Limits cannot be negative');
  if (Object.values(filePackLimits ?? {}).some(isBelow(1)))
    fail('INVALID', 'File pack limits must be greater than zero');
  const rules = Object.entries(limits ?? {}).map(([type, rule]) => {
    const given = Object.entries(rule ?? {}).filter(
      ([field, value]) => typeof value === 'number' && (field !== 'storageBytes' || type === 'TOTAL'),
    );
    return [type, Object.fromEntries(given)];
  });
  return {
    limits: Object.fromEntries(rules),
    pack: { maxFiles: filePackLimits?.maxFiles ?? null, maxBytes: filePackLimits?.maxBytes ?? null },
  };
}

const fieldsOf = <T extends z.ZodType>(value: T) => ({
  dailyCount: value,
  weeklyCount: value,
  dailyBytes: value,
  weeklyBytes: value,
});
const typesOf = <T extends z.ZodType>(value: T) => {
  const plain = z.object(fieldsOf(value));
  return z.object({
    TOTAL: plain.extend({ storageBytes: value }),
    IMAGE: plain,
    FILE: plain,
    PASTE: plain,
    URL: plain,
    TEMP_MAIL: plain,
  });
};

/** The rules of every type; null for no limit. */
export const rulesRecord = typesOf(z.int().nullable());
/** What is used of every type. */
export const usageRecord = typesOf(z.int());
/** The limits of a pack of files. */
export const packRecord = z.object({ maxFiles: z.int().nullable(), maxBytes: z.int().nullable() });

const record = <T>(of: (type: LimitType, field: keyof Rule) => T) =>
  Object.fromEntries(
    LIMIT_TYPES.map((type) => {
      const fields = type === 'TOTAL' ? RULE_FIELDS : PLAIN_FIELDS;
      return [type, Object.fromEntries(fields.map((field) => [field, of(type, field)]))];
    }),
  );

/** The rules as they are sent. */
export const toRules = (rules: Rules) =>
  record((type, field) => rules[type][field]) as z.output<typeof rulesRecord>;

/** The rules that a policy itself sets. */
export const toOwnRules = (policy: Policy) => toRules(rulesOf(policy));

/** What an account has used, as it is sent. */
export const toUsage = ({ used, stored }: Usage) =>
  record((type, field) => {
    const { dayItems, weekItems, dayBytes, weekBytes } = used.get(type) ?? NOTHING_USED;
    const values: Readonly<Record<keyof Rule, number>> = {
      dailyCount: dayItems,
      weeklyCount: weekItems,
      dailyBytes: dayBytes,
      weeklyBytes: weekBytes,
      storageBytes: stored,
    };
    return values[field];
  }) as z.output<typeof usageRecord>;

/** The limits of packs as they are sent. */
export const toPack = ({ maxFiles, maxBytes }: PackLimits) => ({ maxFiles, maxBytes });

/** What a role may create. */
export const rolePolicy = z.object({
  role: z.enum(ROLES),
  limits: rulesRecord,
  filePackLimits: packRecord,
  /** Which files it may store, and how long what it creates lives. */
  entry: entryRulesRecord,
});

/** What an account may create, what of it is its own, and what it has used. */
export const userPolicy = z.object({
  uid: z.int(),
  username: z.string(),
  role: z.enum(ROLES),
  overrides: rulesRecord,
  effective: rulesRecord,
  usage: usageRecord,
  filePackOverrides: packRecord,
  effectiveFilePackLimits: packRecord,
  paused: z.boolean(),
  pausedIndefinitely: z.boolean(),
  pausedUntil: z.iso.datetime().nullable(),
});
export type UserPolicy = z.output<typeof userPolicy>;
