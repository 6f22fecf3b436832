import type { Pause } from '../../../db/account/limits.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { isAdmin, type Role } from '../../base/roles.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';

/** Whether an account is paused now; administrators never are. */
export const isPaused = ({ role, pause }: { readonly role: Role; readonly pause: Pause | null }): boolean =>
  pause !== null && !isAdmin(role) && (pause.until === null || pause.until > Date.now());

/** Refuses with 403 for a paused account. */
export function requireUnpaused(account: { readonly role: Role; readonly pause: Pause | null }): void {
  const { pause } = account;
  if (pause === null || !isPaused(account)) return;
  fail('ACCOUNT_PAUSED', {
    message:
      pause.until === null
        ? localizable(
            'Your account is paused indefinitely. You can view resources, but cannot create, edit, or delete them.',
          )
        : localizable(
            'Your account is paused until {until}. You can view resources, but cannot create, edit, or delete them.',
            { until: new Date(pause.until).toISOString() },
          ),
    ...(pause.until === null ? {} : { retryAfter: Math.ceil((pause.until - Date.now()) / 1000) }),
  });
}

/** As `requireUnpaused`, for procedures that need no account: whoever shows one is held to its pause. */
export async function requireUnpausedCaller(ctx: Context): Promise<void> {
  const caller: Caller | null = await ctx.caller();
  if (caller !== null) requireUnpaused(caller);
}
