import { initTRPC, type TRPCError } from '@trpc/server';
import { ZodError, z } from 'zod';
import { isUsable } from './access.js';
import type { Caller, Context } from './context.js';
import { DomainError, fail } from './errors.js';
import { outageOf } from './outage.js';
import { readable } from './readable.js';
import { ABILITIES, hasRank, type Role } from './roles.js';
import { messageOf } from './zod-messages.js';

// Callers read what schemas refuse; the library's own words are for those who wrote the schema.
z.config({ customError: messageOf });

const t = initTRPC.context<Context>().create({
  // Stacks never leave the process.
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

/** The one sentence a caller may see of an error. */
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

/** Anybody may call; `ctx.caller()` tells who it is, if anyone. An invalid key counts as none. */
export const open = t.procedure.use(withReadableInput);

/** As `open`, for what strangers wrote and others pass on: the text is made readable behind it. */
export const openToAnyText = t.procedure;

/** The account behind a request; refuses with 401 when there is none and 403 when it may do nothing. */
export async function requireCaller(ctx: Context, needed: Role = ABILITIES.read): Promise<Caller> {
  const caller = await ctx.caller();
  if (caller === null) fail('UNAUTHENTICATED');
  if (caller.role === 'BANNED') fail('ACCOUNT_BANNED');
  if (!isUsable(caller)) fail('ACCOUNT_INACTIVE');
  if (!hasRank(caller.role, needed)) fail('FORBIDDEN');
  return caller;
}

/** Whether a failure may come from the caller having been deleted meanwhile: rows that name nobody any more. */
const mayLackCaller = (error: TRPCError): boolean =>
  error instanceof DomainError
    ? error.reason === 'NOT_FOUND'
    : error.code === 'INTERNAL_SERVER_ERROR' && outageOf(error) === null;

const requiring = (needed: Role) =>
  t.procedure
    .use(async ({ ctx, next }) => {
      const account = await requireCaller(ctx, needed);
      const result = await next({ ctx: { account } });
      if (result.ok || !mayLackCaller(result.error)) return result;
      const user = await ctx.app.load.user(account.id);
      if (user === null) fail('UNAUTHENTICATED', { cause: result.error });
      return result;
    })
    .use(withReadableInput);

/** A context whose caller is known to be signed in and active. */
export type AccountContext = Context & { readonly account: Caller };

/** Any active account, GUEST included. */
export const signedIn = requiring(ABILITIES.read);
/** An account that may create things (USER and above). */
export const creator = requiring(ABILITIES.create);
/** ADMIN and above. */
export const admin = requiring(ABILITIES.administer);
