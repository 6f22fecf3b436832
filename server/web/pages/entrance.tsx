import { safeNext } from '../address.js';
import { untouched } from '../components/form.js';
import { orShowAgain, reasonOf } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { LoginCodePage, LoginPage, RegisterPage } from '../views/sign-in.js';

/** Coming in, and going out. */
export const entrancePages = [
  getPage('/login', async ({ site, query }) => {
    const next = safeNext(query.text('next'));
    return site.viewer === null ? page(<LoginPage site={site} next={next} />) : goTo(next);
  }),
  postForm('/login', login),
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
  getPage('/register', async ({ site, query }) => {
    const inviteCode = query.text('inviteCode') ?? '';
    return page(<RegisterPage site={site} state={{ ...untouched, values: { inviteCode } }} />);
  }),
  postForm('/register', register),
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
        // The refusal has set the cookie that the page of the digits needs.
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

async function register({ site, call, body }: PageRequest): Promise<PageAnswer> {
  return orShowAgain(
    body,
    async () => {
      const { status } = await call.auth.register({
        username: body.string('username'),
        email: body.string('email'),
        password: body.string('password'),
        inviteCode: body.string('inviteCode'),
      });
      return goTo(status === 'ACTIVE' ? '/web/login?done=registered' : '/web/verify');
    },
    (state) => <RegisterPage site={site} state={state} />,
  );
}
