import { safeNext } from '../address.js';
import { untouched } from '../components/form.js';
import { orAgain, reasonOf } from '../refusal.js';
import { goTo, type PageAnswer, type PageRequest, page, show, take } from '../request.js';
import { LoginCodePage, LoginPage, RegisterPage } from '../views/sign-in.js';

/** Coming in, and going out. */
export const entrancePages = [
  show('/login', async ({ site, query }) => {
    const next = safeNext(query.text('next'));
    return site.viewer === null ? page(<LoginPage site={site} next={next} />) : goTo(next);
  }),
  take('/login', login),
  show('/login/code', async ({ site, query }) =>
    page(<LoginCodePage site={site} next={safeNext(query.text('next'))} />),
  ),
  take('/login/code', async ({ site, call, body }) => {
    const next = safeNext(body.words('next'));
    return orAgain(
      body,
      async () => {
        await call.auth.loginCode({ code: body.words('code') });
        return goTo(next);
      },
      (state) => <LoginCodePage site={site} next={next} state={state} />,
    );
  }),
  show('/register', async ({ site, query }) => {
    const inviteCode = query.text('inviteCode') ?? '';
    return page(<RegisterPage site={site} state={{ ...untouched, values: { inviteCode } }} />);
  }),
  take('/register', register),
  take('/logout', async ({ site, call }) => {
    if (site.viewer !== null) await call.auth.logout();
    return goTo('/');
  }),
];

async function login({ site, call, body }: PageRequest): Promise<PageAnswer> {
  const next = safeNext(body.words('next'));
  return orAgain(
    body,
    async () => {
      try {
        await call.auth.login({ email: body.words('email'), password: body.words('password') });
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
  return orAgain(
    body,
    async () => {
      const { status } = await call.auth.register({
        username: body.words('username'),
        email: body.words('email'),
        password: body.words('password'),
        inviteCode: body.words('inviteCode'),
      });
      return goTo(status === 'ACTIVE' ? '/web/login?done=registered' : '/web/verify');
    },
    (state) => <RegisterPage site={site} state={state} />,
  );
}
