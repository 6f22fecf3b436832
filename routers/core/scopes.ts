import { fail } from '../base/errors.js';
import { KIND_NAMES, KINDS, type OwnedKind, type Plural } from '../base/kinds.js';
import { localizable } from '../base/language/localizable.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';

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
export function requireNeeds(caller: Caller, { scope, creates }: KeyNeeds): void {
  const { key } = caller;
  if (scope === null || key === null || key.scopes === null) return;
  if (!hasScope(caller, scope))
    fail(
      'SCOPE_MISSING',
      localizable('This key lacks the scope {scope}: add it to the key, or use one that has it', { scope }),
    );
  if (key.createOnly && !creates) fail('SCOPE_MISSING', 'This key may only create things: use another one');
}

/** As `requireNeeds`, for a scope that something needs beside that of its procedure. */
export const requireScope = (caller: Caller, scope: Scope, creates = false): void =>
  requireNeeds(caller, { scope, creates });

/** The scope for what a key reads or changes of a kind. Collections go with the files that they hold. */
const scopeOfKind = (kind: OwnedKind, does: 'read' | 'write'): Scope =>
  `${KIND_NAMES[kind === 'collection' ? 'image' : kind].plural}:${does}`;

/** Whether the caller's key may change items of a kind. */
export const changesKind = (caller: Caller, kind: OwnedKind): boolean =>
  hasScope(caller, scopeOfKind(kind, 'write'));

/** Refuses with 403 a key that may not change items of a kind, where one procedure reaches several kinds. */
export const requireChangeOfKind = (caller: Caller, kind: OwnedKind): void =>
  requireScope(caller, scopeOfKind(kind, 'write'));

/** Whether the caller's key reads what its account has of a kind; one that reads as a visitor sees none of it. */
export const readsOwnOfKind = (caller: Caller, kind: OwnedKind): boolean =>
  caller.key?.asVisitor !== true && hasScope(caller, scopeOfKind(kind, 'read'));

/** Refuses with 403 a key that does not read what its account has of a kind, where one procedure reaches several kinds. */
export function requireReadingOfKind(caller: Caller, kind: OwnedKind): void {
  requireScope(caller, scopeOfKind(kind, 'read'));
  if (caller.key?.asVisitor === true) fail('FORBIDDEN', 'This key reads as a visitor: use another one');
}

/** Whether a request shows something that may be a key. */
export const showsKey = ({ credentials: { apiKey, authorized, formKey } }: Context): boolean =>
  apiKey !== null || authorized.length > 0 || formKey !== null;

/** As `requireNeeds`, for procedures that need no caller: only a request that shows a key is looked at. */
export async function requireScopeIfKeyed(ctx: Context, needs: KeyNeeds): Promise<void> {
  if (needs.scope === null || !showsKey(ctx)) return;
  const caller = await ctx.caller();
  if (caller !== null) requireNeeds(caller, needs);
}

/** Refuses named keys: they must reach neither the main key nor any other key, or their scopes would mean nothing. */
export function requireMainCredential(caller: Caller): void {
  if (caller.key?.isMain === false)
    fail('FORBIDDEN', 'Only a session or the main key may do this, not a named key');
}
