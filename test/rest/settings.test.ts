// on both databases
/** What administrators set in pages holds in every process within two seconds, under what the environment says. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { until } from '../support/until.js';

const test = suite('settings');
let first: TestServer;
let second: TestServer;
let admin: TestAccount;

test.before(async () => {
  first = await startServer({ MAIL_FROM: 'Fixed <fixed@holdall.example>' });
  second = await startServer({ DATA_DIR: first.dataDir });
  admin = await first.account('ADMIN');
});
test.after(async () => {
  await second.close();
  await first.close();
});

const patch = (json: unknown, key = first.owner.key) =>
  first.request('PATCH', '/admin/settings', { key, json });

interface Setting {
  readonly name: string;
  readonly value: string | null;
  readonly fixed: boolean;
  readonly secret: boolean;
  readonly set: boolean;
}

async function settingOf(name: string, server = first): Promise<Setting | undefined> {
  const { body } = await server.request('GET', '/admin/settings', { key: first.owner.key });
  return body.message.find((setting: Setting) => setting.name === name);
}

test('a setting is in effect in every process, and null ends it', async () => {
  const register = (server: TestServer) =>
    server.request('POST', '/auth/register', {
      json: { username: 'somebody', email: 'not an address', password: 'x' },
    });
  const { status, body } = await patch({ REGISTRATION: 'closed' });
  assert.is(status, 200);
  const { name, value, fixed, secret, set } = body.message.find(
    (setting: Setting) => setting.name === 'REGISTRATION',
  );
  assert.equal(
    { name, value, fixed, secret, set },
    { name: 'REGISTRATION', value: 'closed', fixed: false, secret: false, set: true },
  );
  assert.is(first.app.services.settings.registration, 'closed');
  await until(() => second.app.services.settings.registration === 'closed');
  assert.is((await settingOf('REGISTRATION', second))?.value, 'closed');
  assert.is.not((await register(second)).status, 200);
  await patch({ REGISTRATION: null });
  const unset = await settingOf('REGISTRATION');
  assert.is(unset?.value, null);
  assert.is(unset?.set, false);
  await until(() => second.app.services.settings.registration === 'invite');
});

test('doors open and close, origins and short hosts come and go without a restart', async () => {
  const yourls = () => first.request('GET', '//yourls-api.php?action=version&format=json');
  const open = (await yourls()).status;
  await patch({ SPEAKS: 'curl', CORS_ORIGINS: 'https://front.example', SHORT_URL_URL: 'https://s.example' });
  assert.is.not(open, 404);
  assert.is((await yourls()).status, 404);
  const asked = await first.request('GET', '/status', { headers: { origin: 'https://front.example' } });
  assert.is(asked.headers.get('access-control-allow-origin'), 'https://front.example');
  assert.match(asked.headers.get('vary') ?? '', /Origin/);
  const link = await first.request('POST', '/url/create', {
    key: admin.key,
    json: { url: 'https://example.com/' },
  });
  assert.match(link.body.shortUrl ?? link.body.message?.shortUrl ?? link.text, /https:\/\/s\.example\//);
  await patch({ SPEAKS: null, CORS_ORIGINS: null, SHORT_URL_URL: null });
  assert.is((await yourls()).status, open);
  const after = await first.request('GET', '/status', { headers: { origin: 'https://front.example' } });
  assert.is(after.headers.get('access-control-allow-origin'), null);
});

test('a variable of the environment wins, is shown as fixed and refuses a change', async () => {
  const fixed = await settingOf('MAIL_FROM');
  assert.is(fixed?.fixed, true);
  assert.is(fixed?.value, 'Fixed <fixed@holdall.example>');
  assert.is((await patch({ MAIL_FROM: 'Other <other@holdall.example>' })).status, 409);
  assert.is((await patch({ MAIL_FROM: null })).status, 409);
  assert.is(first.app.services.settings.mailSender, 'fixed@holdall.example');
});

test('secrets are kept encrypted and never answered', async () => {
  const secret = 'smtp://user:very-secret@mail.example';
  const { text } = await patch({ MAIL_TRANSPORT: 'smtp', SMTP_URL: secret });
  assert.not.match(text, /very-secret/);
  const setting = await settingOf('SMTP_URL');
  assert.equal([setting?.value, setting?.secret, setting?.set], [null, true, true]);
  assert.is(first.app.services.mail.transport.label, 'SMTP');
  const rows = await first.app.services.db.read('settings').select('name', 'value');
  assert.not.match(JSON.stringify(rows), /very-secret/);
  await until(() => second.app.services.mail.transport.label === 'SMTP');
  const log = await first.request('GET', '/admin/system/auditlog?page=0&size=10&event=installation.changed', {
    key: first.owner.key,
  });
  assert.match(log.text, /MAIL_TRANSPORT SMTP_URL/);
  assert.not.match(log.text, /very-secret/);
  assert.is((await patch({ SMTP_URL: null })).status, 400, 'the transport needs it');
  await patch({ SMTP_URL: null, MAIL_TRANSPORT: null });
});

test('a provider of sign-ins is set as a whole, and nothing of it stays behind', async () => {
  const part = await patch({ OIDC_PROVIDERS: 'house' });
  assert.is(part.status, 400);
  assert.match(part.text, /OIDC_HOUSE_ISSUER: is required/);
  const whole = await patch({
    OIDC_PROVIDERS: 'house',
    OIDC_HOUSE_ISSUER: 'http://127.0.0.1:1',
    OIDC_HOUSE_CLIENT_ID: 'holdall',
    OIDC_HOUSE_CLIENT_SECRET: 'hush-hush',
  });
  assert.is(whole.status, 200);
  assert.not.match(whole.text, /hush-hush/);
  const offered = await first.request('GET', '/auth/providers');
  assert.match(offered.text, /house/);
  const tried = await first.request('POST', '/admin/settings/test-oidc', {
    key: first.owner.key,
    json: { name: 'house' },
  });
  assert.is(tried.status, 502);
  await patch({ OIDC_PROVIDERS: null });
  const rows = await first.app.services.db.read('settings').where('name', 'like', 'OIDC%');
  assert.equal(rows, []);
});

test('wrong values and unknown names are refused and change nothing', async () => {
  for (const json of [
    { REGISTRATION: 'sometimes' },
    { DATA_DIR: '/tmp' },
    { SMTP_LISTEN: '25' },
    { SIGN_IN: 'oidc' },
    { SPEAKS: 'gopher' },
    { REGISTRATION: 'open', SPEAKS: 'gopher' },
    { CORS_ORIGINS: 'nothing' },
    { REGISTRATION: { a: 1 } },
    { CORS_ORIGINS: `https://a.example,${'x'.repeat(9000)}` },
  ])
    assert.is((await patch(json)).status, 400, JSON.stringify(json).slice(0, 80));
  assert.is((await settingOf('REGISTRATION'))?.set, false);
  assert.is((await patch({})).status, 200);
});

test('administrators only, and what reads mails or signs in as anybody owners only', async () => {
  const user = await first.account();
  assert.is((await first.request('GET', '/admin/settings', { key: user.key })).status, 403);
  assert.is((await patch({}, user.key)).status, 403);
  assert.is((await first.request('GET', '/admin/settings')).status, 401);
  assert.is((await patch({ REGISTRATION: 'open' }, admin.key)).status, 200);
  assert.is((await patch({ REGISTRATION: '' }, admin.key)).status, 200);
  assert.is((await patch({ SMTP_URL: 'smtp://mine.example' }, admin.key)).status, 403);
  assert.is((await patch({ CORS_ORIGINS: 'https://mine.example' }, admin.key)).status, 403);
  assert.is((await patch({ OIDC_PROVIDERS: 'mine' }, admin.key)).status, 403);
});

test('a test mail goes to whoever asks, and says why it did not', async () => {
  const send = () => first.request('POST', '/admin/settings/test-mail', { key: first.owner.key });
  const sent = await send();
  assert.is(sent.status, 200);
  assert.equal(sent.body.message, { to: first.owner.email, through: null });
  await patch({ MAIL_TRANSPORT: 'smtp', SMTP_URL: 'smtp://127.0.0.1:1' });
  const failed = await send();
  assert.is(failed.status, 502);
  assert.match(failed.text, /ECONNREFUSED/);
  await patch({ MAIL_TRANSPORT: null, SMTP_URL: null });
});

test('they are there after a restart, which a setting that no longer fits refuses by name', async () => {
  await patch({ REGISTRATION: 'closed', SIGN_IN: 'password' });
  const third = await startServer({ DATA_DIR: first.dataDir });
  assert.is(third.app.services.settings.registration, 'closed');
  assert.equal(third.app.services.settings.signIn, ['password']);
  await third.close();
  await first.app.services.db.write(async (trx) => {
    await trx('settings').where('name', 'REGISTRATION').update({ value: 'of another release' });
  });
  try {
    await startServer({ DATA_DIR: first.dataDir });
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), /REGISTRATION: must be one of[\s\S]*holdall settings unset/);
  }
  await patch({ REGISTRATION: null, SIGN_IN: null });
});

test.run();
