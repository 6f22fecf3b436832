import {
  LIMIT_TYPES,
  type LimitType,
  type PackLimits,
  type Policy,
  RULE_FIELDS,
  type Rule,
  type Standing,
} from '../../../db/account/limits.js';
import { NOTHING_USED, nextMonday, type Used } from '../../../db/account/usage.js';
import { DAY_MS, dayOf } from '../../../db/engine/days.js';
import { type Localizable, localizable } from '../../base/language/localizable.js';
import { isAdmin } from '../../base/roles.js';

/** The limits of one pack of files where nothing else is set. */
const DEFAULT_PACK = { maxFiles: 15, maxBytes: 15 * 1024 ** 3 } as const;

/** The rules in effect, of every type. */
export type Rules = Readonly<Record<LimitType, Rule>>;

const ruleOf = (policy: Policy, type: LimitType, otherwise?: Rule): Rule =>
  Object.fromEntries(
    RULE_FIELDS.map((field) => [field, policy.limits[type]?.[field] ?? otherwise?.[field] ?? null]),
  ) as Rule;

/** Every type with its rule. */
export const rulesOf = (policy: Policy, otherwise?: Rules): Rules =>
  Object.fromEntries(
    LIMIT_TYPES.map((type) => [type, ruleOf(policy, type, otherwise?.[type])]),
  ) as unknown as Rules;

/** No limit of any type. */
const NO_RULES: Rules = rulesOf({ limits: {}, pack: { maxFiles: null, maxBytes: null } });

/** What holds for an account: its own values before those of its role, field by field; nothing for administrators. */
export const effectiveRules = ({ role, ofRole, own }: Standing): Rules =>
  isAdmin(role) ? NO_RULES : rulesOf(own, rulesOf(ofRole));

/** The limits of a pack of files that hold for a role. */
export const packOfRole = (policy: Policy): { readonly maxFiles: number; readonly maxBytes: number } => ({
  maxFiles: policy.pack.maxFiles ?? DEFAULT_PACK.maxFiles,
  maxBytes: policy.pack.maxBytes ?? DEFAULT_PACK.maxBytes,
});

/** The limits of a pack of files that hold for an account; null for administrators. */
export function effectivePack({ role, ofRole, own }: Standing): PackLimits {
  if (isAdmin(role)) return { maxFiles: null, maxBytes: null };
  const given = packOfRole(ofRole);
  return {
    maxFiles: own.pack.maxFiles ?? given.maxFiles,
    maxBytes: own.pack.maxBytes ?? given.maxBytes,
  };
}

/** Whether the rules limit nothing. */
export const isUnlimited = (rules: Rules): boolean =>
  Object.values(rules).every((rule) => Object.values(rule).every((limit) => limit === null));

/** The types under which an item of a type counts. The first is the one by which creations of an account take turns. */
export const countedTypes = (type: LimitType): readonly LimitType[] =>
  type === 'IMAGE' || type === 'FILE' || type === 'PASTE' ? ['TOTAL', type] : [type];

/** What somebody wants to create. */
export interface Wanted {
  readonly count: number;
  readonly bytes: number;
}

/** What is used already: created in this day and week, and stored or promised. */
export interface Usage {
  readonly used: ReadonlyMap<LimitType, Used>;
  readonly stored: number;
}

/** A limit that a wish exceeds. */
export interface Excess {
  readonly text: Localizable;
  /** When it can be tried again, epoch milliseconds; null if only deleting something or an administrator helps. */
  readonly at: number | null;
}

interface About {
  readonly period: 'day' | 'week';
  readonly type: LimitType;
}

interface Checked {
  /** What is limited, for a sentence that chooses its words by it. */
  readonly about: About | 'storage';
  readonly used: number;
  readonly limit: number | null;
  readonly at: number | null;
}
type CheckedInPeriod = Checked & { readonly about: About };

/** The limits by count and by bytes that hold for a type, in the order in which they are checked. */
function limitsOf(rules: Rules, type: LimitType, { used }: Usage, now: number) {
  const { dayItems, dayBytes, weekItems, weekBytes } = used.get(type) ?? NOTHING_USED;
  const rule = rules[type];
  const tomorrow = (dayOf(now) + 1) * DAY_MS;
  const monday = nextMonday(dayOf(now)) * DAY_MS;
  const byCount: readonly CheckedInPeriod[] = [
    { about: { period: 'day', type }, used: dayItems, limit: rule.dailyCount, at: tomorrow },
    { about: { period: 'week', type }, used: weekItems, limit: rule.weeklyCount, at: monday },
  ];
  const byBytes: readonly CheckedInPeriod[] = [
    { about: { period: 'day', type }, used: dayBytes, limit: rule.dailyBytes, at: tomorrow },
    { about: { period: 'week', type }, used: weekBytes, limit: rule.weeklyBytes, at: monday },
  ];
  return { byCount, byBytes };
}

const storageOf = (rules: Rules, { stored }: Usage): Checked => ({
  about: 'storage',
  used: stored,
  limit: rules.TOTAL.storageBytes,
  at: null,
});

const sizeExcess = ({ about, used, limit, at }: Checked, bytes: number): Excess | null =>
  limit === null || used + bytes <= limit
    ? null
    : {
        text:
          about === 'storage'
            ? localizable('Storage limit exceeded (used {used}, requested {bytes}, limit {limit})', {
                used,
                bytes,
                limit,
              })
            : localizable(
                '{period, select, day {Daily} other {Weekly}} {type, select, TOTAL {total} IMAGE {image} FILE {file} PASTE {paste} URL {url} other {temp mail}} byte limit exceeded (used {used}, requested {bytes}, limit {limit})',
                { period: about.period, type: about.type, used, bytes, limit },
              ),
        at,
      };

/** The first limit that creating this would exceed; null if it is allowed. */
export function excessOf(
  rules: Rules,
  type: LimitType,
  usage: Usage,
  wanted: Wanted,
  now: number,
): Excess | null {
  for (const counted of countedTypes(type).toReversed()) {
    const { byCount, byBytes } = limitsOf(rules, counted, usage, now);
    for (const { about, used, limit, at } of byCount)
      if (limit !== null && used + wanted.count > limit)
        return {
          text: localizable(
            '{period, select, day {Daily} other {Weekly}} {type, select, TOTAL {total} IMAGE {image} FILE {file} PASTE {paste} URL {url} other {temp mail}} count limit exceeded (used {used}, limit {limit})',
            { period: about.period, type: about.type, used, limit },
          ),
          at,
        };
    for (const checked of byBytes) {
      const excess = sizeExcess(checked, wanted.bytes);
      if (excess !== null) return excess;
    }
  }
  return countsBytes(type) ? sizeExcess(storageOf(rules, usage), wanted.bytes) : null;
}

const countsBytes = (type: LimitType): boolean => countedTypes(type).includes('TOTAL');

/** How many bytes an item of this type may have at most; null for any number. */
export function bytesLeft(rules: Rules, type: LimitType, usage: Usage, now: number): number | null {
  if (!countsBytes(type)) return null;
  const all = countedTypes(type).flatMap((counted) => limitsOf(rules, counted, usage, now).byBytes);
  const left = [...all, storageOf(rules, usage)].flatMap(({ used, limit }) =>
    limit === null ? [] : [limit - used],
  );
  return left.length === 0 ? null : Math.max(0, Math.min(...left));
}

/** A size in the words of older clients: two decimals, or whole bytes. */
function sizeInWords(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return unit === 0 ? `${size} B` : `${size.toFixed(2)} ${units[unit]}`;
}

/** Why a pack of files is too large; null if it is not. */
export function packExcess({ maxFiles, maxBytes }: PackLimits, { count, bytes }: Wanted): Localizable | null {
  if (maxFiles !== null && count > maxFiles)
    return localizable('This file pack contains {count} files, but your maximum is {maxFiles}', {
      count,
      maxFiles,
    });
  if (maxBytes !== null && bytes > maxBytes)
    return localizable('This file pack is {size}, but your maximum pack size is {max}', {
      size: sizeInWords(bytes),
      max: sizeInWords(maxBytes),
    });
  return null;
}
