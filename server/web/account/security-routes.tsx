import { unlessRemoved } from '../../../routers/base/errors.js';
import type { I18n } from '../../../routers/base/language/i18n.js';
import type { FormState } from '../components/form/form.js';
import { again, reasonOf } from '../refusal.js';
import { getPage, goTo, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { AccountPage } from './account-page.js';
import { EmailPage } from './email-page.js';
import { andEnded } from './ended.js';
import { exportAccount } from './export.js';
import { KEYS_PATH } from './keys-page.js';
import { MessengerPage } from './messenger-page.js';
import { SealPage } from './seal-page.js';
import { type Connection, SecurityPage } from './security-page.js';

/** Sign-in methods and sessions of this account, and its deletion. */
export const securityPages = [
  getPage('/settings/security', async (request) => page(await security(request))),
  postForm(
    '/settings/security',
    again(security, async ({ call, body }) => {
      const { apiKey } = await call.auth.changePassword({
        currentPassword: body.string('currentPassword'),
        newPassword: body.string('newPassword'),
        replaceKey: body.boolean('replaceKey'),
      });
      return goTo(`/web/settings/security?done=${apiKey === undefined ? 'password' : 'passwordAndKey'}`);
    }),
  ),
  getPage('/settings/security/email', async (request) => page(await email(request))),
  postForm(
    '/settings/security/email',
    again(email, async ({ call, body }) => {
      await call.auth.changeAddress({ email: body.string('email'), password: body.string('password') });
      return goTo('/web/settings/security?done=address');
    }),
  ),
  postForm('/settings/security/key', async ({ call, body }) => {
    if (body.text('action') === 'off') {
      await call.user.switchKeyOff();
      return goTo(`${KEYS_PATH}?done=keyOff`);
    }
    await call.user.replaceKey();
    return goTo(`${KEYS_PATH}?done=key`);
  }),
  postForm('/settings/security/sessions', async ({ call, body }) => {
    if (body.text('action') === 'all') {
      await call.auth.revokeSessions();
      return goTo('/web/settings/security?done=endedAll');
    }
    // After a second click the session is already gone, as wanted.
    await unlessRemoved(call.auth.revokeSession({ id: body.string('id') }));
    return goTo('/web/settings/security?done=ended');
  }),
  postForm('/settings/security/everything', async ({ call }) => {
    try {
      return goTo(`/web/settings/security?done=${andEnded('everything', await call.auth.endEverything({}))}`);
    } catch (error) {
      if (reasonOf(error) === 'PROOF_REQUIRED') return goTo('/web/settings/security/confirm');
      throw error;
    }
  }),
  postForm('/settings/security/identities', async (request) => {
    try {
      // After a second click it is already gone, as wanted.
      await unlessRemoved(request.call.oidc.unlink({ id: request.body.number('id') ?? 0 }));
    } catch (error) {
      if (reasonOf(error) === 'PROOF_REQUIRED') return goTo('/web/settings/security/confirm');
      throw error;
    }
    return goTo('/web/settings/security?done=unlinked');
  }),
  getPage('/settings/security/messenger', async ({ site, call, ctx }) => {
    const bot = await call.messenger.connect();
    return page(<MessengerPage site={site} messenger={ctx.app.chat.messenger?.label ?? ''} bot={bot} />);
  }),
  postForm('/settings/security/connections', async ({ call, body }) => {
    await unlessRemoved((body.text('service') === 'messenger' ? call.messenger : call.chatapp).unlink());
    return goTo('/web/settings/security?done=saved');
  }),
  getPage('/settings/seal', async ({ site, call }) =>
    page(<SealPage site={site} kept={await call.user.keptSeal()} />),
  ),
  postForm('/settings/seal', async ({ call }) => {
    // After a second click it is already gone, as wanted.
    await unlessRemoved(call.user.deleteSeal());
    return goTo('/web/settings/seal?done=deleted');
  }),
  getPage('/settings/account', async (request) => page(await account(request))),
  getPage('/settings/account/export', async (request) => {
    const { username } = requireViewer(request);
    return { as: 'file', filename: `holdall-${username}.zip`, content: exportAccount(request) };
  }),
  postForm(
    '/settings/account',
    again(account, async (request) => {
      await request.call.user.delete({ password: request.body.string('password') });
      return goTo('/?done=gone');
    }),
  ),
];

async function security(request: PageRequest, state?: FormState) {
  const { site, call } = request;
  const [me, sessions, secondFactor, connections, identities, passkeys] = await Promise.all([
    call.user.me(),
    call.auth.sessions(),
    call.auth.secondFactor(),
    connectionsOf(request),
    call.oidc.identities({ size: 100 }),
    call.passkey.list({ size: 100 }),
  ]);
  return (
    <SecurityPage
      site={site}
      email={me.email}
      sessions={sessions}
      connections={connections}
      secondFactor={secondFactor}
      identities={identities.content}
      passkeys={passkeys.content}
      state={state}
    />
  );
}

async function email({ site, call }: PageRequest, state?: FormState) {
  return <EmailPage site={site} email={(await call.user.me()).email} state={state} />;
}

async function connectionsOf({ call, ctx, site }: PageRequest): Promise<Connection[]> {
  const { app: chatApp, messenger } = ctx.app.chat;
  const connections: Connection[] = [];
  if (chatApp !== null)
    connections.push({
      service: 'chatapp',
      label: chatApp.label,
      connectUrl: '/v1/chatapp/start?intent=link',
      name: await nameThere(call.chatapp.mine(), site.i18n),
    });
  if (messenger !== null)
    connections.push({
      service: 'messenger',
      label: messenger.label,
      connectUrl: '/web/settings/security/messenger',
      name: await nameThere(call.messenger.mine(), site.i18n),
    });
  return connections;
}

/** The name of a linked account; null if none is linked. */
async function nameThere(
  link: Promise<{ readonly username: string | null }>,
  i18n: I18n,
): Promise<string | null> {
  try {
    return (await link).username ?? i18n.t('Linked');
  } catch (error) {
    if (reasonOf(error) !== 'NOT_FOUND') throw error;
    return null;
  }
}

async function account({ site, call }: PageRequest, state?: FormState) {
  return <AccountPage site={site} user={await call.user.me()} state={state} />;
}
