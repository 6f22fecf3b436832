import type { Caller, Context } from './context.js';
import { fail } from './errors.js';
import { KIND_NAMES, KINDS, type Plural } from './kinds.js';

const bothOf = <P extends Plural>(plural: P) => [`${plural}:read`, `${plural}:write`] as const;

/** What a named key may be allowed to do. Documented in docs/access.md. */
export const SCOPES = [
  ...KINDS.flatMap((kind) => bothOf(KIND_NAMES[kind].plural)),
  'mail:read',
  'mail:write',
  'stats:read',
  'account:read',
  'account:write',
  'admin:read',
  'admin:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a procedure needs of a named key. Each declares it where it is defined (`trpc.ts`). */
export interface KeyNeeds {
  /** Null if every key may call it. */
  readonly scope: Scope | null;
  /** Whether it only adds something, so that a key that may only create may call it. */
  readonly creates: boolean;
}

/** Whether the caller's key allows this; every key does that is not a named one. */
export const hasScope = ({ key }: Caller, scope: Scope): boolean =>
  key === null || key.scopes === null || key.scopes.includes(scope);

/** Refuses with 403, naming what is missing, if the caller's key does not allow this. */
export function requireScope(caller: Caller, { scope, creates }: KeyNeeds): void {
  const { key } = caller;
  if (scope === null || key === null || key.scopes === null) return;
  if (!hasScope(caller, scope))
    fail('SCOPE_MISSING', `This key lacks the scope ${scope}: add it to the key, or use one that has it`);
  if (key.createOnly && !creates) fail('SCOPE_MISSING', 'This key may only create things: use another one');
}

/** As `requireScope`, for procedures that need no caller: only a request that shows a key is looked at. */
export async function requireScopeIfKeyed(ctx: Context, needs: KeyNeeds): Promise<void> {
  if (needs.scope === null || (ctx.credentials.apiKey === null && ctx.credentials.formKey === null)) return;
  const caller = await ctx.caller();
  if (caller !== null) requireScope(caller, needs);
}

/** Refuses named keys: they must reach neither the main key nor any other key, or their scopes would mean nothing. */
export function requireMainCredential(caller: Caller): void {
  if (caller.key?.isMain === false)
    fail('FORBIDDEN', 'Only a session or the main key may do this, not a named key');
}
