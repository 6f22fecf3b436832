/** Errors about one field are shown at that field. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { newcomer, newInvite, sessionOf } from '../../support/accounts/accounts.js';
import { errorAt, isRequired, shownIn } from '../../support/web/forms.js';

interface World {
  server: TestServer;
  headers: { cookie: string };
}

const marked = suite<World>('pages: errors at fields');

marked.before(async (world) => {
  world.server = await startServer();
  world.headers = { cookie: `session_token=${await sessionOf(world.server, await world.server.account())}` };
});
marked.after(({ server }) => server.close());

/** Sends a form of a page as the signed-in user. */
const send = ({ server, headers }: World, path: string, form: Record<string, string> | FormData) =>
  server.request('POST', `//web${path}`, {
    headers,
    form: form instanceof FormData ? form : new URLSearchParams(form),
  });

marked(
  'a refused registration keeps its invite, and says that the password must be typed again',
  async (world) => {
    const taken = world.server.owner.username;
    const inviteCode = await newInvite(world.server);
    const refused = await send(world, '/register', { ...newcomer(), username: taken, inviteCode });
    assert.is(refused.status, 400);
    assert.is(errorAt(refused, 'username'), 'This username is taken');
    assert.is(shownIn(refused, 'inviteCode'), inviteCode);
    assert.is(errorAt(refused, 'password'), 'Enter the password again; for security it was not saved.');
  },
);

marked(
  'a wrong invite, a taken id, an invalid address and an empty paste are reported at their fields',
  async (world) => {
    const invite = await send(world, '/register', { ...newcomer(), inviteCode: 'abc' });
    assert.equal([invite.status, shownIn(invite, 'inviteCode')], [403, 'abc']);
    assert.is(errorAt(invite, 'inviteCode'), 'The invite code is missing, wrong or already used');

    const link = await send(world, '/url-create', { url: 'no address' });
    assert.equal([link.status, errorAt(link, 'url')], [400, 'This is not a valid URL']);

    const mine = { url: 'https://example.org', uniqueId: 'mine' };
    assert.is((await send(world, '/url-create', mine)).status, 303);
    const taken = await send(world, '/url-create', mine);
    assert.equal([taken.status, errorAt(taken, 'uniqueId')], [400, 'This id is taken, choose another one']);

    const paste = await send(world, '/paste-create', fileForm('', '', { text: '' }));
    assert.is(paste.status, 400);
    assert.match(errorAt(paste, 'text') ?? '', 'Enter some text');
  },
);

marked('a wrong password is reported at its field', async (world) => {
  const account = await send(world, '/settings/account', { password: 'wrong' });
  assert.equal([account.status, errorAt(account, 'password')], [403, 'The password is wrong']);
  const change = await send(world, '/settings/security', {
    currentPassword: 'wrong',
    newPassword: 'correct horse battery',
  });
  assert.is(errorAt(change, 'currentPassword'), 'The password is wrong');
  assert.is(errorAt(change, 'newPassword'), undefined);
  const marks = /id="currentPassword"[^>]*aria-describedby="currentPassword-error"[^>]*aria-invalid="true"/;
  assert.match(change.text.replace(/\s+/g, ' '), marks);
  assert.is(isRequired(change, 'currentPassword'), true);
  const short = await send(world, '/settings/security', { currentPassword: 'wrong', newPassword: 'short' });
  assert.match(errorAt(short, 'newPassword') ?? '', /8/);
});

marked('a chosen file has to be chosen again, and the page says so only then', async (world) => {
  const again = 'Choose the file again; it was not saved.';
  for (const [path, wrong] of [
    ['/image-upload', { uniqueId: 'no id!' }],
    ['/paste-create', { password: 'x' }],
  ] as const) {
    const refused = await send(world, path, fileForm('some text', 'notes.txt', wrong));
    assert.equal([refused.status, errorAt(refused, 'file')], [400, again], path);
    const fresh = await world.server.request('GET', `//web${path}`, { headers: world.headers });
    assert.is(errorAt(fresh, 'file'), undefined, path);
  }
  const typed = new FormData();
  typed.set('text', 'typed');
  typed.set('password', 'x');
  typed.set('file', new File([], ''));
  const refused = await send(world, '/paste-create', typed);
  assert.equal([refused.status, errorAt(refused, 'file')], [400, undefined]);
  assert.match(refused.text, '>typed</textarea>');
});

marked('the address left in the browser after a refused picture leads to the settings', async (world) => {
  const { server, headers } = world;
  const { status, headers: sent } = await server.request('GET', '//web/settings/avatar', { headers });
  assert.equal([status, sent.get('location')], [303, '/web/settings']);
});

marked('a chart of days without events says so', async (world) => {
  const { server, headers } = world;
  const { body } = await server.request('POST', '/url/create', { headers, json: { url: 'example.org' } });
  const look = async () => (await server.request('GET', `//web/links/${body.uniqueId}`, { headers })).text;
  assert.match(await look(), 'Visits, none');
  await server.request('GET', `/url/r/${body.uniqueId}`);
  assert.match(await look(), ': 0 by people, 1 by bots');
});

marked.run();
