import type { Caller, Context } from './context.js';
import { fail } from './errors.js';
import { byKind, KIND_NAMES, KINDS, type Plural } from './kinds.js';

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

type Resource = Plural | 'mail' | 'stats' | 'account' | 'admin';

/** The resource that the procedures of each router are about; null: nothing that needs a scope. */
const RESOURCE_OF_ROUTER: Readonly<Record<string, Resource | null>> = {
  ...byKind((kind) => KIND_NAMES[kind].plural),
  admin: 'admin',
  auth: 'account',
  chatapp: 'account',
  email: 'mail',
  library: 'images',
  live: 'admin',
  messenger: 'account',
  playlist: 'images',
  site: null,
  stats: 'stats',
  tools: null,
  user: 'account',
  webhook: 'account',
};

/** Procedures whose scope does not follow from their router and their kind. */
const SCOPE_OF_PROCEDURE: Readonly<Record<string, Scope | null>> = {
  'library.pastes': 'pastes:read',
  'library.urls': 'urls:read',
  // A deletion link is a permission of its own, and its page deletes items of every kind.
  'library.deletable': null,
  'library.deleteByLink': null,
  // Opening an item is reading, although a password or the only reading of a paste goes with it.
  'image.unlock': 'images:read',
  'paste.confirm': 'pastes:read',
  'url.visit': null,
  'stats.export': 'stats:read',
  'user.avatar': null,
};

/** The kinds of procedures. */
export type ProcedureKind = 'query' | 'mutation' | 'subscription';

/**
 * The scope that a key needs for a procedure; null if every key may call it, undefined if its router is not listed
 * here, which a test forbids.
 */
export function scopeOf(procedure: string, kind: ProcedureKind): Scope | null | undefined {
  if (procedure in SCOPE_OF_PROCEDURE) return SCOPE_OF_PROCEDURE[procedure];
  const resource = RESOURCE_OF_ROUTER[procedure.split('.')[0] ?? ''];
  if (resource === undefined || resource === null) return resource;
  return resource === 'stats' ? 'stats:read' : `${resource}:${kind === 'query' ? 'read' : 'write'}`;
}

/** Refuses with 403, naming the scope, if the caller's key lacks the scope of this procedure. */
export function requireScope(caller: Caller, procedure: string, kind: ProcedureKind): void {
  const granted = caller.key?.scopes ?? null;
  if (granted === null) return;
  const scope = scopeOf(procedure, kind);
  if (scope === undefined || (scope !== null && !granted.includes(scope)))
    fail(
      'SCOPE_MISSING',
      `This key lacks the scope ${scope ?? procedure}: add it to the key, or use one that has it`,
    );
}

/** As `requireScope`, for procedures that need no caller: only a request that shows a key is looked at. */
export async function requireScopeIfKeyed(
  ctx: Context,
  procedure: string,
  kind: ProcedureKind,
): Promise<void> {
  if (ctx.credentials.apiKey === null && ctx.credentials.formKey === null) return;
  // Signing in and verifying have credentials of their own; a key says nothing about them.
  if (RESOURCE_OF_ROUTER[procedure.split('.')[0] ?? ''] === 'account') return;
  const caller = await ctx.caller();
  if (caller !== null) requireScope(caller, procedure, kind);
}

/** Refuses named keys: they must reach neither the main key nor any other key, or their scopes would mean nothing. */
export function requireMainCredential(caller: Caller): void {
  if (caller.key?.isMain === false)
    fail('FORBIDDEN', 'Only a session or the main key may do this, not a named key');
}
