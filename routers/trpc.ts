import { initTRPC, type TRPCError } from '@trpc/server';
import { ZodError, z } from 'zod';
import { isUsable } from './access.js';
import type { Caller, Context } from './context.js';
import { DomainError, fail } from './errors.js';
import { ABILITIES, hasRank, type Role } from './roles.js';
import { requireScope, requireScopeIfKeyed } from './scopes.js';
import { countInBatch } from './shared/large-answer.js';
import { outageOf } from './shared/outage.js';
import { readable } from './text/readable.js';
import { messageOf } from './text/zod-messages.js';

// Callers see validation errors; the library's default messages are written for schema authors.
z.config({ customError: messageOf });

const t = initTRPC.context<Context>().create({
  // Stack traces never leave the process.
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const refusal = error instanceof DomainError ? error : outageOf(error);
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
export function publicMessage(error: TRPCError): string {
  if (error instanceof DomainError) return error.message;
  if (error.cause instanceof ZodError) return zodMessage(error.cause);
  return error.code === 'INTERNAL_SERVER_ERROR' ? 'Something went wrong' : error.message;
}

function zodMessage(error: ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'The request is not valid';
  const field = issue.path.join('.');
  return field === '' ? issue.message : `${field}: ${issue.message}`;
}

export const { router, createCallerFactory } = t;

const withReadableInput = t.middleware(async ({ getRawInput, next }) => {
  const input = readable(await getRawInput());
  return next({ getRawInput: async () => input });
});

const withScope = t.middleware(async ({ ctx, path, type, next }) => {
  await requireScopeIfKeyed(ctx, path, type);
  return next();
});

/** Every procedure counts its answer, if it is one of a batch. */
const base = t.procedure.use(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) countInBatch(ctx, result.data);
  return result;
});

/** No authentication required; `ctx.caller()` returns the caller, if any. An invalid key counts as none. */
export const open = base.use(withScope).use(withReadableInput);

/** As `open`, for text that a third party wrote and a service forwards: it is normalised later. */
export const openToAnyText = base.use(withScope);

/** The account of a request; 401 if there is none, 403 if it lacks the permission. */
export async function requireCaller(ctx: Context, needed: Role = ABILITIES.read): Promise<Caller> {
  const caller = await ctx.caller();
  if (caller === null) fail('UNAUTHENTICATED');
  if (caller.role === 'BANNED') fail('ACCOUNT_BANNED');
  if (!isUsable(caller)) fail('ACCOUNT_INACTIVE');
  if (!hasRank(caller.role, needed)) fail('FORBIDDEN');
  return caller;
}

/** Whether a failure may be caused by the deletion of the caller's account meanwhile, as rows are then missing. */
const mayLackCaller = (error: TRPCError): boolean =>
  error instanceof DomainError
    ? error.reason === 'NOT_FOUND'
    : error.code === 'INTERNAL_SERVER_ERROR' && outageOf(error) === null;

const requiring = (needed: Role) =>
  base
    .use(async ({ ctx, path, type, next }) => {
      const account = await requireCaller(ctx, needed);
      requireScope(account, path, type);
      const result = await next({ ctx: { account } });
      if (result.ok || !mayLackCaller(result.error)) return result;
      const user = await ctx.app.load.user(account.id);
      if (user === null) fail('UNAUTHENTICATED', { cause: result.error });
      return result;
    })
    .use(withReadableInput);

/** A context whose caller is signed in and active. */
export type AccountContext = Context & { readonly account: Caller };

/** Any active account, including GUEST. */
export const signedIn = requiring(ABILITIES.read);
/** An account that may create things (USER and above). */
export const creator = requiring(ABILITIES.create);
/** ADMIN and above. */
export const admin = requiring(ABILITIES.administer);
