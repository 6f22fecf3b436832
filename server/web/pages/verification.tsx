import { DomainError, fail } from '../../../routers/errors.js';
import { clock } from '../format.js';
import { orShowAgain, reasonOf } from '../refusal.js';
import { getPage, getPageAt, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { ResetPage, ResetRequestPage, VerifiedPage, VerifyPage } from '../views/verify.js';
import { andEnded } from './ended.js';

/** E-mail verification, and resetting a forgotten password. */
export const verificationPages = [
  getPage('/verify', showWaiting),
  postForm('/verify', verify),
  getPageAt(['/v1/auth/verify/token'], async ({ site, call, query, method }) => {
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

/** For an account that waits for verification; without one the user is asked to sign in, which starts again. */
async function showWaiting(request: PageRequest): Promise<PageAnswer> {
  const email = await waitingEmail(request);
  return email === null ? goTo('/web/login') : page(waitingPage(request, email));
}

/** The e-mail address to be verified; null if there is none, or no longer. */
async function waitingEmail({ call }: PageRequest): Promise<string | null> {
  try {
    return (await call.auth.waiting()).email;
  } catch (error) {
    if (reasonOf(error) !== 'VERIFY_TOKEN_INVALID') throw error;
    return null;
  }
}

const waitingPage = (
  { site, ctx }: PageRequest,
  email: string | null,
  more: Pick<Parameters<typeof VerifyPage>[0], 'state' | 'bot'> = {},
) => <VerifyPage site={site} email={email} messenger={ctx.app.messenger !== null} {...more} />;

async function verify(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  return orShowAgain(
    body,
    async () => {
      const action = body.text('action');
      if (action === 'messenger') {
        const bot = await call.messenger.verify();
        return page(waitingPage(request, await waitingEmail(request), { bot }));
      }
      if (action === 'resend' || action === 'correct') {
        await sayingWhen(
          action === 'resend'
            ? call.auth.resendEmail()
            : call.auth.correctEmail({ email: body.string('email') }),
        );
        return goTo('/web/verify?done=sent');
      }
      await call.auth.verifyEmail({ code: body.string('code') });
      return goTo('/web/login?done=verified');
    },
    async (state) => waitingPage(request, await waitingEmail(request), { state }),
  );
}

/** Tells a user who asks for an e-mail too soon when to ask again. */
async function sayingWhen(mail: Promise<unknown>): Promise<void> {
  try {
    await mail;
  } catch (error) {
    if (!(error instanceof DomainError) || error.reason !== 'TOO_MANY_REQUESTS') throw error;
    const retryAfter = error.retryAfter ?? 0;
    const when = clock(Date.now() + retryAfter * 1_000);
    fail('TOO_MANY_REQUESTS', {
      message: `An e-mail was just sent. You can request another at ${when}.`,
      retryAfter,
    });
  }
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
      const ended = await call.auth.confirmReset({ code, password: body.string('password') });
      return goTo(`/web/login?done=${andEnded('reset', ended)}`);
    },
    (state) => <ResetPage site={site} code={code} state={state} />,
  );
}
