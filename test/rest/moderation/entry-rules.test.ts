// on both databases
/** Accepted types and lives as administrators set them: for everybody and by role, on every way in. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, fileForm, startServer, type TestServer } from '../../harness.js';
import { LOOPBACK_ALLOWED, PIXEL } from '../../support/web/webhook.js';

const test = suite('entry rules');
const DAY_MS = 86_400_000;
const REFUSED = /Files of the type \S+ are not accepted here \(accepted: image\/\*(, but not image\/gif)?\)/;

let server: TestServer;
test.before(async () => {
  server = await startServer({ ...LOOPBACK_ALLOWED, UPLOAD_TYPES: '!image/gif', MAX_EXPIRY_DAYS: '300' });
});
test.after(() => server.close());
test.after.each(async () => {
  await setSite({});
  await setRole({});
});

const admin = () => server.owner.key;
const setSite = (json: object) => server.request('PUT', '/admin/limits/site', { key: admin(), json });
const setRole = (json: object, role = 'USER') =>
  server.request('PUT', `/admin/limits/roles/${role}/entry`, { key: admin(), json });
const ofRole = async () => {
  const { body } = await server.request('GET', '/admin/limits/roles', { key: admin() });
  return body.message.find(({ role }: { role: string }) => role === 'USER');
};
const daysOf = ({ body }: Answer) => Math.round((Date.parse(body.message.expiresAt) - Date.now()) / DAY_MS);

test('rules are set and shown; those of a role survive clients that know only limits', async () => {
  const set = await setSite({ types: ['IMAGE/*', ' !image/png '], maxExpiryDays: 30, defaultExpiryDays: 7 });
  assert.equal(set.body.message, {
    ...{ types: ['image/*', '!image/png'], maxExpiryDays: 30, defaultExpiryDays: 7 },
    configured: { types: ['!image/gif'], maxExpiryDays: 300, defaultExpiryDays: null },
  });
  const got = await server.request('GET', '/admin/limits/site', { key: admin() });
  assert.equal(got.body.message, set.body.message);
  const own = { types: ['image/webp'], maxExpiryDays: 3, defaultExpiryDays: null };
  assert.equal((await setRole(own)).body.message.entry, own);
  const json = { limits: { IMAGE: { dailyCount: 5 } } };
  await server.request('PUT', '/admin/limits/roles/USER', { key: admin(), json });
  const role = await ofRole();
  assert.equal([role.entry, role.limits.IMAGE.dailyCount], [own, 5]);
  const both = { limits: {}, entry: { types: [], maxExpiryDays: 4 } };
  await server.request('PUT', '/admin/limits/roles/USER', { key: admin(), json: both });
  assert.equal((await ofRole()).entry, { types: [], maxExpiryDays: 4, defaultExpiryDays: null });
  const user = await server.account();
  const { entry } = (await server.request('GET', '/limits/me', { key: user.key })).body.message;
  assert.equal(entry, {
    ...{ types: ['image/*', '!image/gif', '!image/png'], maxExpiryDays: 4, defaultExpiryDays: 4 },
    accepted: 'image/*, but not image/gif, image/png',
  });
});

test('what makes no sense is refused and changes nothing', async () => {
  for (const wrong of [
    { types: ['everything'] },
    { types: Array.from({ length: 101 }, (_, index) => `image/x${index}`) },
    { maxExpiryDays: 0 },
    { maxExpiryDays: 1.5 },
    { maxExpiryDays: 3, defaultExpiryDays: 4 },
  ]) {
    assert.is((await setSite(wrong)).status, 400, JSON.stringify(wrong).slice(0, 60));
    assert.is((await setRole(wrong)).status, 400);
  }
  assert.is((await setRole({ types: ['image/*'] }, 'ADMIN')).status, 400);
  const user = await server.account();
  const asUser = { key: user.key, json: { types: [] } };
  assert.is((await server.request('PUT', '/admin/limits/site', asUser)).status, 403);
  assert.is((await server.request('PUT', '/admin/limits/roles/USER/entry', asUser)).status, 403);
});

test('a type that the role may not store is refused; another role may store it', async () => {
  const user = await server.account();
  const { key } = user;
  const asked = await server.request('POST', '/request/create', { key, json: { title: 'Papers' } });
  await setRole({ types: ['image/*'] });
  const text = () => fileForm('just text', 'a.txt');
  const refused = async (answer: Promise<Answer>, what: string) => {
    const { status, body, text } = await answer;
    assert.is(status, 400, `${what}: ${text}`);
    assert.match(body.message, REFUSED, what);
  };
  await refused(server.request('POST', '/image/upload', { key, form: text() }), 'form');
  const picture = await server.request('POST', '/image/upload', { key, form: fileForm(PIXEL, 'a.png') });
  assert.is(picture.status, 200, picture.text);
  const shown = (await server.request('GET', `/request/open/${asked.body.uniqueId}`)).body.message;
  assert.equal(
    [shown.accepted, shown.acceptedTypes],
    ['image/*, but not image/gif', ['image/*', '!image/gif']],
  );

  const owner = await server.request('POST', '/image/upload', { key: admin(), form: text() });
  assert.is(owner.status, 200);
  await setSite({ types: ['image/*'] });
  await refused(server.request('POST', '/image/upload', { key: admin(), form: text() }), 'everybody');
});

test('the lives of a role hold for what it makes and changes', async () => {
  const { key } = await server.account();
  await setSite({ defaultExpiryDays: 200 });
  await setRole({ maxExpiryDays: 10, defaultExpiryDays: 2 });
  const paste = (json: object = {}, by = key) =>
    server.request('POST', '/paste/create', { key: by, json: { text: 'a', ...json } });
  assert.is(daysOf(await paste()), 2);
  assert.is(daysOf(await paste({}, admin())), 200);
  const made = await paste({ expiresAt: Date.now() + 9 * DAY_MS });
  assert.is(daysOf(made), 9);
  assert.is((await paste({ expiresAt: 'never' })).status, 400);
  const change = { key, json: { expiresAt: Date.now() + 40 * DAY_MS } };
  const longer = await server.request('PATCH', `/paste/get/${made.body.uniqueId}`, change);
  assert.equal(
    [longer.status, longer.body.message],
    [400, 'expiresAt: An item can be kept for at most 10 days here'],
  );
  const link = await server.request('POST', '/url/create', { key, json: { url: 'https://example.com/' } });
  assert.is(daysOf(link), 2);
  assert.is(daysOf(await server.request('POST', '/image/upload', { key, form: fileForm('b', 'b.txt') })), 2);
});

test('forms name the types and lives of their viewer before a file is chosen', async () => {
  const user = await server.account();
  await setRole({ types: ['image/png', 'video/*'], maxExpiryDays: 5 });
  const { text } = await server.request('GET', '//web/image-upload', { key: user.key });
  assert.match(text, 'accept="image/png,video/*"');
  assert.match(text, 'Accepted here: image/png, video/*');
  assert.match(text, '5 days');
  assert.not.match(text, '30 days');
  const other = await server.request('GET', '//web/image-upload', { key: admin() });
  assert.not.match(other.text, 'accept="image/png');
  const asked = await server.request('POST', '/request/create', { key: user.key, json: { title: 'Papers' } });
  const guest = await server.request('GET', `//web/request/${asked.body.uniqueId}`);
  assert.match(guest.text, 'accept="image/png,video/*"');
  assert.match(guest.text, 'image/png, video/*');
});

test('administrators set both on their page, which keeps what was refused', async () => {
  const page = await server.request('GET', '//web/admin/limits?role=ALL', { key: admin() });
  assert.match(page.text, 'The configuration of this server restricts the types: !image/gif.');
  assert.match(page.text, 'By the configuration of this server, items live at most 300 days.');
  const save = (role: string, fields: Record<string, string>) =>
    server.request('POST', `//web/admin/limits?role=${role}`, {
      key: admin(),
      headers: { origin: server.origin },
      form: Object.entries({ action: 'entry', ...fields }).reduce((form, [name, value]) => {
        form.append(name, value);
        return form;
      }, new FormData()),
    });
  await save('ALL', { types: 'image/*, video/mp4', maxExpiryDays: '', defaultExpiryDays: '6' });
  const { message } = (await server.request('GET', '/admin/limits/site', { key: admin() })).body;
  assert.equal(
    [message.types, message.maxExpiryDays, message.defaultExpiryDays],
    [['image/*', 'video/mp4'], null, 6],
  );
  await save('USER', { types: 'image/png', maxExpiryDays: '3', defaultExpiryDays: '' });
  assert.equal((await ofRole()).entry, { types: ['image/png'], maxExpiryDays: 3, defaultExpiryDays: null });
  const wrong = await save('USER', { types: 'nonsense', maxExpiryDays: '3', defaultExpiryDays: '' });
  assert.is(wrong.status, 400);
  assert.match(wrong.text, 'value="nonsense"');
});

test.run();
