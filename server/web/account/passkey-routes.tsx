import { rowIdIn } from '../../../rest-adapter/wire.js';
import { unlessRemoved } from '../../../routers/base/errors.js';
import type { FormState } from '../components/form/form.js';
import { again } from '../refusal.js';
import { getPage, goTo, type PageRequest, page, postForm } from '../request.js';
import { ConfirmPage } from './confirm-page.js';
import { PASSKEYS_PATH, PasskeysPage } from './passkeys-page.js';

const PATH = '/settings/security/passkeys';
const CONFIRM = '/settings/security/confirm';

/** Passkeys, and confirming a session with the password. */
export const passkeyPages = [
  getPage(PATH, async (request) => page(await passkeys(request))),
  postForm(
    `${PATH}/{id}`,
    again(passkeys, async ({ body, call, params }) => {
      const id = rowIdIn(params.id);
      if (body.text('action') === 'rename') await call.passkey.rename({ id, name: body.string('name') });
      // After a second click it is already gone, as wanted.
      else await unlessRemoved(call.passkey.remove({ id }));
      return goTo(`${PASSKEYS_PATH}?done=saved`);
    }),
  ),
  getPage(CONFIRM, async (request) => page(await confirm(request))),
  postForm(
    CONFIRM,
    again(confirm, async (request) => {
      await request.call.auth.confirm({ password: request.body.string('password') });
      return goTo('/web/settings/security?done=confirmed');
    }),
  ),
];

async function passkeys({ site, call }: PageRequest, state?: FormState) {
  const [{ email }, { content }, isProven] = await Promise.all([
    call.user.me(),
    call.passkey.list({ size: 100 }),
    call.auth.isProven(),
  ]);
  return <PasskeysPage {...{ site, email, isProven, state }} passkeys={content} />;
}

async function confirm({ site, call }: PageRequest, state?: FormState) {
  const { email } = await call.user.me();
  return <ConfirmPage site={site} email={email} state={state} />;
}
