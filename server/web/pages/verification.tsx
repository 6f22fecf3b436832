import { orShowAgain, reasonOf } from '../refusal.js';
import {
  getForBrowsers,
  getPage,
  goTo,
  type PageAnswer,
  type PageRequest,
  page,
  postForm,
} from '../request.js';
import { ResetPage, ResetRequestPage, VerifiedPage, VerifyPage } from '../views/verify.js';

/** Proving an address, and a new password for a forgotten one. */
export const verificationPages = [
  getPage('/verify', showWaiting),
  postForm('/verify', verify),
  getForBrowsers(['/v1/auth/verify/token'], async ({ site, call, query, method }) => {
    const { verified } = await call.auth.verifyLink({
      code: query.text('code') ?? '',
      peek: method === 'HEAD',
    });
    return page(<VerifiedPage site={site} worked={verified} />, verified ? 200 : 400);
  }),
  getPage('/password-reset', async ({ site }) => page(<ResetRequestPage site={site} />)),
  postForm('/password-reset', requestReset),
  getPage('/password-reset/confirm', async ({ site, query }) =>
    page(<ResetPage site={site} code={query.text('code') ?? ''} />),
  ),
  postForm('/password-reset/confirm', confirmReset),
];

/** For an account that waits; whoever has none is asked to sign in, which begins anew. */
async function showWaiting({ site, call, ctx }: PageRequest): Promise<PageAnswer> {
  try {
    await call.auth.waiting();
    return page(<VerifyPage site={site} messenger={ctx.app.messenger !== null} />);
  } catch (error) {
    if (reasonOf(error) !== 'VERIFY_TOKEN_INVALID') throw error;
    return goTo('/web/login');
  }
}

async function verify({ site, call, ctx, body }: PageRequest): Promise<PageAnswer> {
  const messenger = ctx.app.messenger !== null;
  return orShowAgain(
    body,
    async () => {
      const action = body.text('action');
      if (action === 'messenger') {
        const bot = await call.messenger.verify();
        return page(<VerifyPage site={site} messenger={messenger} bot={bot} />);
      }
      if (action === 'resend') {
        await call.auth.resendEmail();
        return goTo('/web/verify?done=sent');
      }
      await call.auth.verifyEmail({ code: body.string('code') });
      return goTo('/web/login?done=verified');
    },
    (state) => <VerifyPage site={site} messenger={messenger} state={state} />,
  );
}

async function requestReset({ site, call, body }: PageRequest): Promise<PageAnswer> {
  return orShowAgain(
    body,
    async () => {
      await call.auth.requestReset({ email: body.string('email') });
      return page(<ResetRequestPage site={site} sent />);
    },
    (state) => <ResetRequestPage site={site} state={state} />,
  );
}

async function confirmReset({ site, call, body }: PageRequest): Promise<PageAnswer> {
  const code = body.string('code');
  return orShowAgain(
    body,
    async () => {
      await call.auth.confirmReset({ code, password: body.string('password') });
      return goTo('/web/login?done=password');
    },
    (state) => <ResetPage site={site} code={code} state={state} />,
  );
}
