import { z } from 'zod';
import { codeInput, emailInput, newPasswordInput } from '../../core/accounts/fields.js';
import { fullUser, toFullUser } from '../../core/accounts/record.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import { open, quiet, router, signedIn } from '../../core/trpc.js';
import { confirmAddress, newAddressOf, requestAddress } from './address.js';
import { endedAccess } from './ending.js';
import { endEverything } from './everything.js';
import { finishSignIn, loginInput, signIn } from './login.js';
import { createUploadKey, uploadKeyInput } from './named-keys.js';
import { changedPassword, changePassword, confirmReset, requestReset, resetAddress } from './password.js';
import { confirmSession, isProven } from './proof.js';
import { register, registerInput } from './register.js';
import {
  beginSecondFactor,
  describeSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  newSecondFactor,
  proofInput,
  recoveryCodes,
  renewRecoveryCodes,
  secondFactorState,
} from './second-factor.js';
import { listSessions, revokeSession, revokeSessions, sessionRecord, signOut } from './session.js';
import { signInByLink } from './sign-in-link.js';
import {
  linkStates,
  registrantOf,
  resendCode,
  sendCode,
  verifyByCode,
  verifyByLink,
  waitingAccount,
} from './verify.js';

const nothing = z.object({});

/** Registration, verification, login and sessions (contract §4, Accounts). */
export const authRouter = router({
  register: open(null, 'whilePaused')
    .input(registerInput)
    .output(z.object({ status: z.enum(['ACTIVE', 'PENDING']) }))
    .mutation(async ({ ctx, input }) => ({ status: await register(ctx, input) })),

  login: open(null, 'whilePaused')
    .input(loginInput)
    .output(fullUser)
    .mutation(async ({ ctx, input }) => toFullUser(ctx.app, await signIn(ctx, input), true)),

  /** A named key for a program that knows the password, but has no session. */
  uploadKey: open(null, 'whilePaused')
    .input(uploadKeyInput)
    .output(z.object({ key: z.string() }))
    .mutation(async ({ ctx, input }) => ({ key: await createUploadKey(ctx, input) })),

  /** The second step of a login that lacked only a code; the cookie `sign_in` identifies the account. */
  loginCode: open(null, 'whilePaused')
    .input(z.object({ code: codeInput }))
    .output(fullUser)
    .mutation(async ({ ctx, input }) => toFullUser(ctx.app, await finishSignIn(ctx, input.code), true)),

  /** Ends the session of the cookie; `logoutUrl` signs out at the provider that started it, too. */
  logout: open(null, 'whilePaused')
    .output(z.object({ logoutUrl: z.string().nullable() }))
    .mutation(async ({ ctx }) => ({ logoutUrl: await signOut(ctx) })),

  /** Proves that the holder of the session is there, for changes of the ways to sign in. */
  confirm: signedIn('account:write', 'whilePaused')
    .input(z.object({ password: z.string().min(1).max(200) }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => confirmSession(ctx, input.password))),

  /** Whether that is proven already, so that pages ask for no password in vain. */
  isProven: signedIn('account:read')
    .output(z.boolean())
    .query(({ ctx }) => isProven(ctx)),

  /** The address that `holdall user sign-in` prints. */
  signInByLink: open(null, 'whilePaused')
    .input(z.object({ code: z.string().max(200) }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => signInByLink(ctx, input.code))),

  validate: signedIn('account:read')
    .output(userSummary)
    .query(({ ctx }) => summaryOf(ctx.app, ctx.account.id)),

  verifyEmail: open(null, 'whilePaused')
    // A missing cookie is reported before the code is validated.
    .use(async ({ ctx, next }) => next({ ctx: { registrant: await registrantOf(ctx) } }))
    .input(z.object({ code: z.string().trim().min(1).max(64) }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => verifyByCode(ctx, ctx.registrant, input.code))),

  /** The link in the mail; `peek` only says whether it would work. */
  verifyLink: open(null, 'whilePaused')
    .input(z.object({ code: z.string(), peek: z.boolean().default(false) }))
    .output(z.object({ verified: z.boolean(), state: z.enum(linkStates) }))
    .mutation(async ({ ctx, input }) => {
      const state = await verifyByLink(ctx, input.code, input.peek);
      return { verified: state === 'works', state };
    }),

  /** The account of the cookie `verify_token` while it is pending; 401 otherwise. */
  waiting: open(null)
    .output(z.object({ username: z.string(), email: z.string(), status: z.literal('PENDING') }))
    .query(async ({ ctx }) => {
      const { username, email } = await waitingAccount(ctx);
      return { username, email, status: 'PENDING' as const };
    }),

  sendEmail: open(null, 'whilePaused')
    .output(nothing)
    .mutation(quiet(({ ctx }) => sendCode(ctx))),

  resendEmail: open(null, 'whilePaused')
    .input(z.object({ byPage: z.boolean().default(false) }).optional())
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => resendCode(ctx, { byPage: input?.byPage ?? false }))),

  /** As `resendEmail`, to a corrected address. */
  correctEmail: open(null, 'whilePaused')
    .input(z.object({ email: emailInput, byPage: z.boolean().default(false) }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => resendCode(ctx, input))),

  sessions: signedIn('account:read')
    .output(z.array(sessionRecord))
    .query(({ ctx }) => listSessions(ctx)),

  revokeSession: signedIn('account:write')
    .input(z.object({ id: z.string().max(64) }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => revokeSession(ctx, Number(input.id)))),

  /** Ends every session but the caller's. */
  revokeSessions: signedIn('account:write')
    .output(z.object({ sessions: z.int() }))
    .mutation(async ({ ctx }) => ({ sessions: await revokeSessions(ctx) })),

  /** Ends all access to the account but the session that asks. */
  endEverything: signedIn('account:write')
    .input(z.object({ password: z.string().max(200).nullish() }))
    .output(endedAccess)
    .mutation(({ ctx, input }) => endEverything(ctx, input.password)),

  changePassword: signedIn('account:write')
    .input(
      z.object({
        currentPassword: z.string().max(200),
        newPassword: newPasswordInput,
        /** Replaces the API key, too. */
        replaceKey: z
          .boolean()
          .nullish()
          .transform((wanted) => wanted === true),
      }),
    )
    .output(changedPassword)
    .mutation(({ ctx, input }) => changePassword(ctx, input)),

  /** Mails a link to a new address, which replaces the caller's once `confirmAddress` gets its code. */
  changeAddress: signedIn('account:write')
    .input(z.object({ email: emailInput, password: z.string().max(200) }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => requestAddress(ctx, input))),

  /** The address of the link in such a mail; null if the link does not work. */
  newAddress: open(null)
    .input(z.object({ code: z.string().max(200) }))
    .output(z.object({ email: z.string().nullable() }))
    .query(async ({ ctx, input }) => ({ email: await newAddressOf(ctx, input.code) })),

  confirmAddress: open(null)
    .input(z.object({ code: z.string().min(1).max(200) }))
    .output(z.object({ email: z.string() }))
    .mutation(({ ctx, input }) => confirmAddress(ctx, input.code)),

  secondFactor: signedIn('account:read')
    .output(secondFactorState)
    .query(({ ctx }) => describeSecondFactor(ctx)),

  beginSecondFactor: signedIn('account:write')
    .input(proofInput.pick({ password: true }))
    .output(newSecondFactor)
    .mutation(({ ctx, input }) => beginSecondFactor(ctx, input.password)),

  enableSecondFactor: signedIn('account:write')
    .input(proofInput.pick({ code: true }))
    .output(recoveryCodes)
    .mutation(({ ctx, input }) => enableSecondFactor(ctx, input.code)),

  renewRecoveryCodes: signedIn('account:write')
    .input(proofInput)
    .output(recoveryCodes)
    .mutation(({ ctx, input }) => renewRecoveryCodes(ctx, input)),

  disableSecondFactor: signedIn('account:write')
    .input(proofInput)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => disableSecondFactor(ctx, input))),

  requestReset: open(null, 'whilePaused')
    .input(z.object({ email: emailInput }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => requestReset(ctx, input.email))),

  /** Whose password the link of a reset mail sets; null if the link does not work. Whoever has it can sign in anyway. */
  resetAddress: open(null)
    .input(z.object({ code: z.string().max(200) }))
    .output(z.object({ email: z.string().nullable() }))
    .query(async ({ ctx, input }) => ({ email: await resetAddress(ctx, input.code) })),

  confirmReset: open(null, 'whilePaused')
    .input(z.object({ code: z.string().min(1).max(200), password: newPasswordInput }))
    .output(endedAccess)
    .mutation(({ ctx, input }) => confirmReset(ctx, input)),
});
