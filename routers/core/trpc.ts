import { initTRPC, type TRPCProcedureType as ProcedureType, type TRPCError } from '@trpc/server';
import { ZodError, z } from 'zod';
import { DomainError, fail } from '../base/errors.js';
import { ENGLISH, type I18n } from '../base/language/i18n.js';
import { type Localizable, localizable } from '../base/language/localizable.js';
import { ABILITIES, hasRank, type Role } from '../base/roles.js';
import { readable } from '../base/text/readable.js';
import { localizableOfIssue, messageOf } from '../base/text/zod-messages.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { requireSpace, requireUnblockedNetwork } from './entry/entry.js';
import { requireUnpaused, requireUnpausedCaller } from './entry/pause.js';
import { countInBatch } from './large-answer.js';
import { outageOf, refusalOf } from './outage.js';
import { isUsable } from './policies.js';
import { type KeyNeeds, requireNeeds, requireScopeIfKeyed, type Scope, showsKey } from './scopes.js';

// Callers see validation errors; the library's default messages are written for schema authors.
z.config({ customError: messageOf });

/** What a procedure asks of its caller before it looks at its input. */
export interface Entrance extends KeyNeeds {
  /** The role that it takes at least; null if no account is needed. */
  readonly role: Role | null;
  /**
   * Whether a paused account may call it although it is a mutation: it signs in or out, takes what arrives from outside,
   * only reads, or acts for somebody whom it finds and refuses itself.
   */
  readonly whilePaused: boolean;
}

const t = initTRPC
  .context<Context>()
  .meta<Entrance>()
  .create({
    // Stack traces never leave the process.
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const refusal = error instanceof DomainError ? error : refusalOf(error);
      return {
        ...shape,
        message: refusal?.message ?? publicMessage(error),
        data: {
          ...shape.data,
          httpStatus: refusal?.status ?? shape.data.httpStatus,
          reason: refusal?.reason ?? error.code,
        },
      };
    },
  });

/** The message of an error that a caller may see. */
export function publicMessage(error: TRPCError, i18n: I18n = ENGLISH): string {
  if (error instanceof DomainError) return i18n.translate(error.localizable);
  if (error.cause instanceof ZodError) return i18n.translate(localizableOfZod(error.cause));
  return error.code === 'INTERNAL_SERVER_ERROR' ? i18n.t('Something went wrong') : error.message;
}

function localizableOfZod({ issues: [issue] }: ZodError): Localizable {
  return issue === undefined ? localizable('The request is not valid') : localizableOfIssue(issue);
}

export const { router, createCallerFactory } = t;

/**
 * Runs a call, and counts its answer if it is one of a batch, where it takes turns with those of its network's other
 * batches. Everything that a procedure asks for before its input is checked stands in one middleware: tRPC copies the
 * whole call for each of them, which was a tenth of the cost of a request.
 */
async function inTurn<R extends { readonly ok: boolean; readonly data?: unknown }>(
  ctx: Context,
  call: () => Promise<R>,
): Promise<R> {
  const isOneOfMany = ctx.batch !== null && ctx.batch.calls > 1;
  const result = await (isOneOfMany ? ctx.app.limits.batchCalls(ctx.network(), call) : call());
  if (result.ok) countInBatch(ctx, result.data);
  return result;
}

/** The input, normalised. */
async function readableInput(getRawInput: () => Promise<unknown>): Promise<() => Promise<unknown>> {
  const input = readable(await getRawInput());
  return async () => input;
}

/**
 * What a procedure asks: the scope of a key (null: any key may call it), whether it only creates something, and whether a
 * paused account may call it.
 */
export type Needs = readonly [scope: Scope | null, ...('creates' | 'whilePaused')[]];

const entranceOf = (role: Role | null, [scope, ...does]: Needs): Entrance => ({
  role,
  scope,
  creates: does.includes('creates'),
  whilePaused: does.includes('whilePaused'),
});

/** Whether a procedure creates, changes or deletes something, which a paused account may not do. */
const isHeldByPause = ({ whilePaused }: Entrance, type: ProcedureType): boolean =>
  type === 'mutation' && !whilePaused;

interface Opening {
  /** Whether text is taken as it is: it is normalised later. */
  readonly anyText?: boolean;
  /** Whether it creates something that comes in. */
  readonly entry?: boolean;
}

const opening = (needs: Needs, { anyText = false, entry = false }: Opening = {}) => {
  const meta = entranceOf(null, needs);
  return t.procedure.meta(meta).use(({ ctx, type, getRawInput, next }) =>
    inTurn(ctx, async () => {
      await requireScopeIfKeyed(ctx, meta);
      if (isHeldByPause(meta, type)) await requireUnpausedCaller(ctx);
      if (entry && type === 'mutation') await requireEntry(ctx);
      return anyText ? next() : next({ getRawInput: await readableInput(getRawInput) });
    }),
  );
};

/** No authentication required; `ctx.caller()` returns the caller, if any. An invalid key counts as none. */
export const open = (...needs: Needs) => opening(needs);
/** As `open`, for text that a third party wrote and a service forwards: it is normalised later. */
export const openToAnyText = (...needs: Needs) => opening(needs, { anyText: true });
/** For what anybody may create, with or without an account: refused from a blocked network and while too little space is left. */
export const openCreator = (...needs: Needs) => opening(needs, { entry: true });

/** The account of a request; 401 if there is none, 403 if it lacks the permission. */
export async function requireCaller(ctx: Context, needed: Role = ABILITIES.read): Promise<Caller> {
  const caller = await ctx.caller();
  if (caller === null) fail('UNAUTHENTICATED');
  if (caller.role === 'BANNED') fail('ACCOUNT_BANNED');
  if (!isUsable(caller)) fail('ACCOUNT_INACTIVE');
  if (!hasRank(caller.role, needed)) fail('FORBIDDEN');
  return caller;
}

/** The account of a request that may call a procedure; 401 and 403 as for `requireCaller`, for the scope of its key and its pause. */
async function requireEntrant(ctx: Context, meta: Entrance, type: ProcedureType): Promise<Caller> {
  const account = await requireCaller(ctx, meta.role ?? undefined);
  requireNeeds(account, meta);
  if (isHeldByPause(meta, type)) requireUnpaused(account);
  return account;
}

/**
 * Refuses a caller who may not call this procedure, whatever the input: by role, scope of the key and pause. One who has
 * shown no valid credential yet is let through, because a form may carry the key.
 */
export async function requireEntrance(ctx: Context, meta: Entrance, type: ProcedureType): Promise<void> {
  if (!showsKey(ctx) && ctx.credentials.sessionTokens.length === 0) return;
  const caller = await ctx.caller();
  if (caller === null) return;
  if (meta.role !== null) await requireEntrant(ctx, meta, type);
  else {
    requireNeeds(caller, meta);
    if (isHeldByPause(meta, type)) requireUnpaused(caller);
  }
}

/** The account of a request that may create something; 403 also while it is paused. */
export async function requireCreator(ctx: Context): Promise<Caller> {
  const caller = await requireCaller(ctx, ABILITIES.create);
  requireUnpaused(caller);
  await requireEntry(ctx);
  return caller;
}

/** Whether a failure may be caused by the deletion of the caller's account meanwhile, as rows are then missing. */
const mayLackCaller = (error: TRPCError): boolean =>
  error instanceof DomainError
    ? error.reason === 'NOT_FOUND'
    : error.code === 'INTERNAL_SERVER_ERROR' && outageOf(error) === null;

const requiring =
  (needed: Role, { entry = false }: Pick<Opening, 'entry'> = {}) =>
  (...needs: Needs) => {
    const meta = entranceOf(needed, needs);
    return t.procedure.meta(meta).use(({ ctx, type, getRawInput, next }) =>
      inTurn(ctx, async () => {
        const account = await requireEntrant(ctx, meta, type);
        if (entry && type === 'mutation') await requireEntry(ctx);
        // tRPC takes both, although its types have one or the other.
        const both = { ctx: { account }, getRawInput: await readableInput(getRawInput) };
        const result = await next(both as Pick<typeof both, 'ctx'>);
        if (result.ok || !mayLackCaller(result.error)) return result;
        const user = await ctx.app.load.user(account.id);
        if (user === null) fail('UNAUTHENTICATED', { cause: result.error });
        return result;
      }),
    );
  };

/** Any active account, including GUEST. Like the others, called with the scope that a named key needs. */
export const signedIn = requiring(ABILITIES.read);
/** Refuses what a blocked network would create, and everything while too little space is left. */
export async function requireEntry(ctx: Context): Promise<void> {
  await requireUnblockedNetwork(ctx);
  await requireSpace(ctx.app);
}

/** An account that may create things (USER and above), unless its network is blocked or no space is left. */
export const creator = requiring(ABILITIES.create, { entry: true });
/** MODERATOR and above. */
export const moderator = requiring(ABILITIES.moderate);
/** ADMIN and above. */
export const admin = requiring(ABILITIES.administer);

/** A procedure that answers nothing: an empty object once its work is done. */
export const quiet =
  <Options>(work: (options: Options) => Promise<unknown>) =>
  async (options: Options): Promise<Record<string, never>> => {
    await work(options);
    return {};
  };
