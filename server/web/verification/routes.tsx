import { DomainError, fail } from '../../../routers/base/errors.js';
import { localizable } from '../../../routers/base/language/localizable.js';
import type { LinkState } from '../../../routers/features/auth/verify.js';
import { andEnded } from '../account/ended.js';
import type { FormState } from '../components/form/form.js';
import { clock } from '../format.js';
import { again, orShowAgain, reasonOf } from '../refusal.js';
import { getPage, getPageAt, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { ActivatePage, VerifiedPage } from './activate-pages.js';
import { AddressChangedPage, NewAddressPage } from './address-pages.js';
import { ResetPage, ResetRequestPage } from './reset-pages.js';
import { VerifyPage } from './verify-page.js';

/** E-mail verification, and resetting a forgotten password. */
export const verificationPages = [
  getPage('/verify', showWaiting),
  postForm('/verify', verify),
  getPageAt(['/v1/auth/verify/token'], async (request) => {
    const { query, method } = request;
    return verifyByLink(request, query.text('code') ?? '', method === 'HEAD');
  }),
  getPage('/verify/link', async (request) => {
    const { site, call, query } = request;
    const code = query.text('code') ?? '';
    const { state } = await call.auth.verifyLink({ code, peek: true });
    return state === 'works' ? page(<ActivatePage site={site} code={code} />) : showState(request, state);
  }),
  postForm('/verify/link', (request) => verifyByLink(request, request.body.string('code'), false)),
  getPage('/verify/address', async (request) => {
    const { query } = request;
    return newAddress(request, query.text('code') ?? '');
  }),
  postForm('/verify/address', confirmAddress),
  getPage('/password-reset', async (request) =>
    page(<ResetRequestPage site={request.site} signIn={signInAt(request)} />),
  ),
  postForm(
    '/password-reset',
    again(
      (request, state) => <ResetRequestPage site={request.site} signIn={signInAt(request)} state={state} />,
      requestReset,
    ),
  ),
  getPage('/password-reset/confirm', async (request) =>
    page(await resetPage(request, request.query.text('code') ?? '')),
  ),
  postForm(
    '/password-reset/confirm',
    again((request, state) => resetPage(request, request.body.string('code'), state), confirmReset),
  ),
];

async function verifyByLink(request: PageRequest, code: string, peek: boolean): Promise<PageAnswer> {
  return showState(request, (await request.call.auth.verifyLink({ code, peek })).state);
}

/** Somebody or something may have opened the link before: the account is active all the same. */
const showState = (request: PageRequest, state: LinkState): PageAnswer =>
  page(
    <VerifiedPage site={request.site} state={state} signIn={signInAt(request)} />,
    state === 'dead' ? 400 : 200,
  );

/** Where accounts sign in: at the portal, if there is one. */
const signInAt = ({ ctx }: PageRequest): string => {
  const { frontendUrl } = ctx.app.settings;
  return frontendUrl === null ? '/web/login' : `${frontendUrl}/login`;
};

/** The page of a link to a new address, with 400 if the link does not work. */
async function newAddress({ site, call }: PageRequest, code: string, state?: FormState): Promise<PageAnswer> {
  const { email } = await call.auth.newAddress({ code: code.slice(0, 200) });
  const shown = <NewAddressPage site={site} code={code} email={email} state={state} />;
  return page(shown, email === null ? 400 : 200);
}

async function confirmAddress(request: PageRequest): Promise<PageAnswer> {
  const { site, call, body } = request;
  const code = body.string('code');
  // The link of a second click was used by the first.
  if ((await call.auth.newAddress({ code: code.slice(0, 200) })).email === null)
    return newAddress(request, code);
  return orShowAgain(
    { site, body },
    async () => {
      const { email } = await call.auth.confirmAddress({ code });
      const next = site.viewer === null ? signInAt(request) : '/web/settings/security';
      return page(<AddressChangedPage site={site} email={email} next={next} />);
    },
    async (state) => {
      const { email } = await call.auth.newAddress({ code });
      return <NewAddressPage site={site} code={code} email={email} state={state} />;
    },
  );
}

/** For an account that waits for verification; without one the user is asked to sign in, which starts again. */
async function showWaiting(request: PageRequest): Promise<PageAnswer> {
  const email = await waitingEmail(request);
  return email === null ? goTo(signInAt(request)) : page(waitingPage(request, email));
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
) => <VerifyPage site={site} email={email} messenger={ctx.app.chat.messenger?.label ?? null} {...more} />;

async function verify(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  return orShowAgain(
    request,
    async () => {
      const action = body.text('action');
      if (action === 'messenger') {
        const bot = await call.messenger.verify();
        return page(waitingPage(request, await waitingEmail(request), { bot }));
      }
      if (action === 'resend' || action === 'correct') {
        await sayingWhen(
          action === 'resend'
            ? call.auth.resendEmail({ byPage: true })
            : call.auth.correctEmail({ email: body.string('email'), byPage: true }),
        );
        return goTo('/web/verify?done=sent');
      }
      await call.auth.verifyEmail({ code: body.string('code') });
      // Browsers follow no form to another site, so the way to a portal is a link.
      const stays = request.ctx.app.settings.frontendUrl === null;
      const done = request.site.registration === 'approval' ? 'addressConfirmed' : 'verified';
      return stays ? goTo(`/web/login?done=${done}`) : showState(request, 'works');
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
      message: localizable('An e-mail was just sent. You can request another at {when}.', { when }),
      retryAfter,
    });
  }
}

async function requestReset(request: PageRequest): Promise<PageAnswer> {
  await request.call.auth.requestReset({ email: request.body.string('email') });
  return page(<ResetRequestPage site={request.site} signIn={signInAt(request)} sent />);
}

async function resetPage({ site, call }: PageRequest, code: string, state?: FormState) {
  const { email } = await call.auth.resetAddress({ code: code.slice(0, 200) });
  return <ResetPage site={site} code={code} email={email} state={state} />;
}

async function confirmReset({ call, body }: PageRequest): Promise<PageAnswer> {
  const ended = await call.auth.confirmReset({
    code: body.string('code'),
    password: body.string('password'),
  });
  return goTo(`/web/login?done=${andEnded('reset', ended)}`);
}
