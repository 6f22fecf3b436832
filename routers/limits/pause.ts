import type { Pause } from '../../db/account/limits.js';
import type { Caller, Context } from '../context.js';
import { fail } from '../errors.js';
import { told } from '../language/told.js';
import { isAdmin, type Role } from '../roles.js';

/**
 * The mutations that a paused account may call: signing in and out, what arrives from outside, and reading that is a
 * mutation only because it counts something, carries a password, a list or a file, or sends a changed file back.
 * The sign-ins that can also link an account refuse that themselves.
 */
const SURVIVING: ReadonlySet<string> = new Set([
  ...[
    'register',
    'login',
    'loginCode',
    'logout',
    'signInByLink',
    'confirm',
    'verifyEmail',
    'verifyLink',
    'sendEmail',
  ].map(inAuth),
  ...['resendEmail', 'correctEmail', 'requestReset', 'confirmReset'].map(inAuth),
  'chatapp.start',
  'oidc.start',
  'oidc.callback',
  'oidc.logout',
  'passkey.loginOptions',
  'passkey.login',
  'chatapp.callback',
  'chatapp.login',
  'messenger.verify',
  'messenger.receive',
  'email.inbound',
  'email.missing',
  'email.markRead',
  'image.known',
  'image.unlock',
  'tools.image',
  'tools.video',
  'pack.open',
  'request.unlock',
  'request.receive',
  'pack.zip',
  'paste.confirm',
  'site.follow',
  'url.visit',
  // For whom they act only the address or the link says; they refuse a paused one themselves.
  ...['upload.begin', 'upload.append', 'upload.end', 'image.fillReserved', 'pack.fill'],
]);

function inAuth(name: string): string {
  return `auth.${name}`;
}

/** The kinds of procedures. */
export type ProcedureKind = 'query' | 'mutation' | 'subscription';

/** Whether a procedure creates, changes or deletes something, which a paused account may not do. */
export const changesSomething = (procedure: string, kind: ProcedureKind): boolean =>
  kind === 'mutation' && !SURVIVING.has(procedure);

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
        ? told(
            'Your account is paused indefinitely. You can view resources, but cannot create, edit, or delete them.',
          )
        : told(
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
