import { type User, updateUser } from '../../../db/account/account.js';
import { lockAccount } from '../../core/accounts/people.js';
import { type AuditEvent, audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';

type Stored = Readonly<Record<string, unknown>>;

/** The names whose values differ; null is the same as none. */
export const differing = (before: Stored, after: Stored, names: readonly string[]): string[] =>
  names.filter((name) => (before[name] ?? null) !== (after[name] ?? null));

/** Applies a PATCH to stored texts of the caller, and logs which of them it has changed; concurrent changes are not lost. */
export async function patchOwn<N extends string>(
  ctx: AccountContext,
  event: AuditEvent,
  field: 'socials' | 'urlSettings',
  patch: Readonly<Partial<Record<N, string | null | undefined>>>,
  known: readonly N[],
): Promise<User> {
  return ctx.app.db.write(async (trx) => {
    const user = await lockAccount(ctx.app, trx, ctx.account.id);
    const change = { [field]: patched(user[field], patch, known) };
    const fields = differing(user[field], change[field] ?? {}, known);
    if (fields.length === 0) return user;
    await updateUser(trx, user.id, change);
    await audit(ctx, trx, event, { subject: user.id, info: { fields: fields.join(' ') } });
    return { ...user, ...change };
  });
}

/**
 * Applies a PATCH to stored texts: absent names stay, null and "" remove one (contract §5). Ignores names
 * that are not in `known`.
 */
export function patched<V, N extends string>(
  stored: Readonly<Record<string, V>>,
  patch: Readonly<Partial<Record<N, V | null | undefined>>>,
  known: readonly N[],
): Record<string, V> {
  const result = { ...stored };
  for (const name of known) {
    const value = patch[name];
    if (value === undefined) continue;
    if (value === null || value === '') delete result[name];
    else result[name] = value;
  }
  return result;
}
