import type { Fields } from '../../../rest-adapter/fields.js';
import { safeNext } from '../../../routers/base/local-path.js';
import { untouched } from '../components/form/form.js';
import { again, reasonOf } from '../refusal.js';
import {
  getForBrowsers,
  getPage,
  goTo,
  type PageAnswer,
  type PageRequest,
  page,
  postForm,
} from '../request.js';
import { isLocalizable } from '../serving/site-of.js';
import { LoginCodePage, LoginPage } from './login-page.js';
import { SIGN_IN_FORMS } from './paths.js';
import { RegisterPage } from './register-page.js';
import { SignInLinkPage } from './sign-in-link-page.js';
import { SignedOutPage } from './signed-out-page.js';

const nextIn = (fields: Fields): string => safeNext(fields.string('next'));

/** Signing in, registering and signing out. */
export const signInPages = [
  getPage(SIGN_IN_FORMS.login, async ({ site, query }) => {
    const next = nextIn(query);
    return site.viewer === null ? page(<LoginPage site={site} next={next} />) : goTo(next);
  }),
  postForm(
    SIGN_IN_FORMS.login,
    again(({ site, body }, state) => <LoginPage site={site} next={nextIn(body)} state={state} />, login),
  ),
  getPage('/login/code', async ({ site, query }) => page(<LoginCodePage site={site} next={nextIn(query)} />)),
  postForm(
    '/login/code',
    again(
      ({ site, body }, state) => <LoginCodePage site={site} next={nextIn(body)} state={state} />,
      async ({ call, body }) => {
        await call.auth.loginCode({ code: body.string('code') });
        return goTo(nextIn(body));
      },
    ),
  ),
  getForBrowsers(['/v1/chatapp/start', '/v1/discord/start'], (request) => {
    const intent = request.query.text('intent')?.toLowerCase() as 'login' | 'link' | undefined;
    return orExplain(request, () => request.call.chatapp.start({ intent }));
  }),
  getForBrowsers(['/v1/chatapp/callback', '/v1/discord/callback'], (request) => {
    const [code, state, error] = ['code', 'state', 'error'].map((name) => request.query.text(name));
    return orExplain(request, () => request.call.chatapp.callback({ code, state, error }));
  }),
  getForBrowsers(['/v1/auth/oidc/{name}/start'], (request) => {
    const { query, params } = request;
    return orExplain(request, () =>
      request.call.oidc.start({
        name: params.name ?? '',
        intent: query.text('intent')?.toLowerCase() as 'login' | 'link' | undefined,
        next: query.text('next'),
        invite: query.text('invite', 'inviteCode'),
      }),
    );
  }),
  getForBrowsers(['/v1/auth/oidc/{name}/callback'], (request) => {
    const { query, params } = request;
    const all = Object.entries(query.all()).map(([key, value]) => [key, String(value)]);
    return orExplain(request, () =>
      request.call.oidc.callback({
        name: params.name ?? '',
        state: query.text('state'),
        query: `?${new URLSearchParams(all)}`,
      }),
    );
  }),
  getForBrowsers(['/v1/auth/oidc/{name}/logout'], (request) =>
    orExplain(request, () => request.call.oidc.logout({ name: request.params.name ?? '' })),
  ),
  // Opening the link changes nothing, as programs open links, too.
  getPage(SIGN_IN_FORMS.link, async ({ site, query }) =>
    page(<SignInLinkPage site={site} code={query.text('code') ?? ''} />),
  ),
  postForm(SIGN_IN_FORMS.link, (request) =>
    orExplain(request, async () => {
      await request.call.auth.signInByLink({ code: request.body.string('code') });
      return { location: '/' };
    }),
  ),
  getPage('/signed-out', async ({ site, query }) => {
    const name = query.text('at') ?? '';
    const provider = site.signIn.providers.find((each) => each.name === name);
    return provider === undefined ? goTo('/') : page(<SignedOutPage site={site} {...provider} />);
  }),
  getPage(SIGN_IN_FORMS.register, async ({ site, query }) => {
    const inviteCode = query.text('inviteCode') ?? '';
    return page(<RegisterPage site={site} state={{ ...untouched, values: { inviteCode } }} />);
  }),
  postForm(
    SIGN_IN_FORMS.register,
    again(({ site }, state) => <RegisterPage site={site} state={state} />, register),
  ),
  postForm('/logout', async ({ site, call }) => {
    if (site.viewer === null) return goTo('/');
    const { logoutUrl } = await call.auth.logout();
    const at = /\/oidc\/([^/]+)\/logout$/.exec(logoutUrl ?? '')?.[1];
    // A form may not redirect to another site, so its user follows a link.
    return goTo(at === undefined ? '/' : `/web/signed-out?at=${at}`);
  }),
];

async function login({ call, body }: PageRequest): Promise<PageAnswer> {
  const next = nextIn(body);
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
}

/**
 * Redirects to or from another service. Errors are shown on the page where the user started. A user who has to
 * sign in first finds the button there again, because no form may redirect to another site.
 */
async function orExplain(
  { site }: PageRequest,
  work: () => Promise<{ readonly location: string }>,
): Promise<PageAnswer> {
  const from = '/web/settings/security';
  try {
    return { as: 'redirect', status: 302, ...(await work()) };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'PROOF_REQUIRED')
      return { as: 'redirect', status: 302, location: '/web/settings/security/confirm' };
    if (reason === 'OIDC_INVITE')
      return { as: 'redirect', status: 302, location: `/web/register?failed=${reason}` };
    if (reason === 'UNAUTHENTICATED')
      return { as: 'redirect', status: 302, location: `/web/login?next=${from}` };
    if (reason === null || !isLocalizable(reason)) throw error;
    const location = `${site.viewer === null ? '/web/login' : from}?failed=${reason}`;
    return { as: 'redirect', status: 302, location };
  }
}

async function register({ call, body }: PageRequest): Promise<PageAnswer> {
  const { status } = await call.auth.register({
    username: body.string('username'),
    email: body.string('email'),
    password: body.string('password'),
    inviteCode: body.string('inviteCode'),
    byPage: true,
  });
  return goTo(status === 'ACTIVE' ? '/?done=welcome' : '/web/verify');
}
