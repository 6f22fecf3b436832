import { safeNext } from '../address.js';
import { untouched } from '../components/form/form.js';
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
import { isTold } from '../site-of.js';
import { LoginCodePage, LoginPage } from './login-page.js';
import { SIGN_IN_FORMS } from './paths.js';
import { RegisterPage } from './register-page.js';

/** Signing in, registering and signing out. */
export const signInPages = [
  getPage(SIGN_IN_FORMS.login, async ({ site, query }) => {
    const next = safeNext(query.text('next'));
    return site.viewer === null ? page(<LoginPage site={site} next={next} />) : goTo(next);
  }),
  postForm(SIGN_IN_FORMS.login, login),
  getPage('/login/code', async ({ site, query }) =>
    page(<LoginCodePage site={site} next={safeNext(query.text('next'))} />),
  ),
  postForm('/login/code', async ({ site, call, body }) => {
    const next = safeNext(body.string('next'));
    return orShowAgain(
      body,
      async () => {
        await call.auth.loginCode({ code: body.string('code') });
        return goTo(next);
      },
      (state) => <LoginCodePage site={site} next={next} state={state} />,
    );
  }),
  getForBrowsers(['/v1/chatapp/start', '/v1/discord/start'], (request) => {
    const intent = request.query.text('intent')?.toLowerCase() as 'login' | 'link' | undefined;
    return orTell(request, () => request.call.chatapp.start({ intent }));
  }),
  getForBrowsers(['/v1/chatapp/callback', '/v1/discord/callback'], (request) => {
    const [code, state, error] = ['code', 'state', 'error'].map((name) => request.query.text(name));
    return orTell(request, () => request.call.chatapp.callback({ code, state, error }));
  }),
  getPage(SIGN_IN_FORMS.register, async ({ site, query }) => {
    const inviteCode = query.text('inviteCode') ?? '';
    return page(<RegisterPage site={site} state={{ ...untouched, values: { inviteCode } }} />);
  }),
  postForm(SIGN_IN_FORMS.register, register),
  postForm('/logout', async ({ site, call }) => {
    if (site.viewer !== null) await call.auth.logout();
    return goTo('/');
  }),
];

async function login({ site, call, body }: PageRequest): Promise<PageAnswer> {
  const next = safeNext(body.string('next'));
  return orShowAgain(
    body,
    async () => {
      try {
        await call.auth.login({ email: body.string('email'), password: body.string('password') });
      } catch (error) {
        // The refusal has set the cookie that the code page needs.
        if (reasonOf(error) === 'LOGIN_PENDING') return goTo('/web/verify');
        if (reasonOf(error) === 'LOGIN_CODE_REQUIRED')
          return goTo(`/web/login/code?next=${encodeURIComponent(next)}`);
        throw error;
      }
      return goTo(next);
    },
    (state) => <LoginPage site={site} next={next} state={state} />,
  );
}

/**
 * Redirects to or from the chat application. Errors are shown on the page where the user started. A user who has to
 * sign in first finds the button there again, because no form may redirect to another site.
 */
async function orTell(
  { site }: PageRequest,
  work: () => Promise<{ readonly location: string }>,
): Promise<PageAnswer> {
  const from = '/web/settings/security';
  try {
    return { as: 'redirect', status: 302, ...(await work()) };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'UNAUTHENTICATED')
      return { as: 'redirect', status: 302, location: `/web/login?next=${from}` };
    if (reason === null || !isTold(reason)) throw error;
    const location = `${site.viewer === null ? '/web/login' : from}?failed=${reason}`;
    return { as: 'redirect', status: 302, location };
  }
}

async function register({ site, call, body }: PageRequest): Promise<PageAnswer> {
  return orShowAgain(
    body,
    async () => {
      const { status } = await call.auth.register({
        username: body.string('username'),
        email: body.string('email'),
        password: body.string('password'),
        inviteCode: body.string('inviteCode'),
        byPage: true,
      });
      return goTo(status === 'ACTIVE' ? '/web/login?done=registered' : '/web/verify');
    },
    (state) => <RegisterPage site={site} state={state} />,
  );
}
