/** Forms after a refusal: nothing that was typed is lost or sent unseen. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { pngPhoto } from '../../support/media/media-fixtures.js';
import { card, chosenIn, errorAt, isRequired, isTicked, shownIn } from '../../support/web/forms.js';

interface World {
  server: TestServer;
  headers: { cookie: string };
}

const again = suite<World>('pages: refused forms');

again.before(async (world) => {
  world.server = await startServer();
});
again.before.each(async (world) => {
  const account = await world.server.account();
  world.headers = { cookie: `session_token=${await sessionOf(world.server, account)}` };
});
again.after(({ server }) => server.close());

/** Sends a form of a page as the signed-in user, without scripts. */
const send = ({ server, headers }: World, path: string, form: Record<string, string> | FormData) =>
  server.request('POST', `//web${path}`, {
    headers,
    form: form instanceof FormData ? form : new URLSearchParams(form),
  });

async function uploadOf({ server, headers }: World): Promise<string> {
  const form = fileForm(await pngPhoto(), 'a.png');
  return (await server.request('POST', '/image/upload', { headers, form })).body.uniqueId;
}

again('an empty password leaves that of an item unchanged; only its own button removes it', async (world) => {
  const id = await uploadOf(world);
  const locked = async () =>
    (await world.server.request('GET', `/image/info/${id}`, { headers: world.headers })).body.message
      .requiresPassword;
  const path = `/image/${id}`;
  assert.is((await send(world, path, { action: 'lock', password: 'open sesame' })).status, 303);
  for (const form of [{ action: 'lock', password: '' }, { action: 'lock' }, { action: 'other' }]) {
    const refused = await send(world, path, form as Record<string, string>);
    assert.is(refused.status, 400, JSON.stringify(form));
    assert.is(await locked(), true);
  }
  const refused = await send(world, path, { action: 'lock', password: '' });
  assert.is(errorAt(refused, 'password'), 'enter a password');
  assert.is(isRequired(refused, 'password'), true);
  assert.match(refused.text, /<button[^>]*value="unlock"[^>]*formnovalidate/i);
  assert.is((await send(world, path, { action: 'unlock', password: '' })).status, 303);
  assert.is(await locked(), false);
});

again('a refused change of an item shows what was typed, but not to other accounts', async (world) => {
  const id = await uploadOf(world);
  const typed = 'long '.repeat(60);
  const refused = await send(world, `/image/${id}`, { action: 'save', description: typed, private: 'true' });
  assert.is(refused.status, 400);
  assert.is(shownIn(refused, 'description'), typed);
  assert.ok(errorAt(refused, 'description'));
  assert.is(isTicked(refused, 'private'), true);
  const other = await world.server.account();
  const headers = { cookie: `session_token=${await sessionOf(world.server, other)}` };
  const foreign = await send({ ...world, headers }, `/image/${id}`, { action: 'save', description: typed });
  assert.is(foreign.text.includes('Set password'), false);
});

const creations = [
  ['/url-create', { url: 'no address', uniqueId: 'mine', maxUses: '3' }],
  ['/paste-create', { text: '', private: 'true', burn: 'true' }],
  ['/image-upload', { uniqueId: 'no id!', desc: 'What it is', private: 'true', unpack: '', maxViews: '7' }],
] as const;

for (const [path, fields] of creations) {
  again(`a refused form at ${path} keeps its options open and asks for the lost password`, async (world) => {
    const { server } = world;
    const form = (more: Record<string, string>) =>
      path === '/image-upload'
        ? fileForm('a text', 'a.txt', { ...fields, ...more })
        : ({ ...fields, ...more } as Record<string, string>);
    const fresh = await server.request('GET', `//web${path}`, { headers: world.headers });
    assert.not.match(fresh.text, '<details class="more card" open');
    assert.is(isRequired(fresh, 'password'), false);

    const refused = await send(world, path, form({ password: 'hush hush', expiresIn: '24' }));
    assert.is(refused.status, 400);
    assert.match(refused.text, '<details class="more card" open');
    assert.is(refused.text.includes('hush hush'), false);
    assert.is(errorAt(refused, 'password'), 'Enter the password again; for security it was not saved.');
    assert.is(isRequired(refused, 'password'), true);
    assert.is(chosenIn(refused, 'expiresIn'), '24');
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'text') continue;
      if (['private', 'burn', 'unpack'].includes(name)) assert.is(isTicked(refused, name), value === 'true');
      else assert.is(shownIn(refused, name), value);
    }

    const valid: Record<string, string> =
      path === '/url-create' ? { url: 'example.org' } : path === '/paste-create' ? { text: 'a text' } : {};
    const far = await send(world, path, form({ ...valid, uniqueId: '', expiresIn: '999999999999' }));
    assert.is(far.status, 400, 'a moment that no date tells');

    const without = await send(world, path, form({ password: '' }));
    assert.is(without.status, 400);
    assert.is(isRequired(without, 'password'), false);
    assert.is(errorAt(without, 'password'), undefined);

    const short = await send(world, path, form({ password: 'x' }));
    assert.is(isRequired(short, 'password'), true);
  });
}

again('an invalid upload option is reported at its field', async (world) => {
  const refused = await send(world, '/image-upload', fileForm('a text', 'a.txt', { uniqueId: 'no id!' }));
  assert.ok(errorAt(refused, 'uniqueId'));
  const views = await send(world, '/image-upload', fileForm('a text', 'a.txt', { maxViews: '-1' }));
  assert.ok(errorAt(views, 'maxViews'));
});

again(
  'refused settings show what was typed, including checkboxes and choices, and store nothing of it',
  async (world) => {
    const look = { enabled: 'true', title: 'Mine', authorName: 'Me', color: 'red' };
    assert.is((await send(world, '/settings/embeds', { ...look, color: '#fff' })).status, 303);
    const embeds = await send(world, '/settings/embeds', {
      title: 'Other',
      authorName: '',
      color: 'no colour',
    });
    assert.is(embeds.status, 400);
    assert.is(isTicked(embeds, 'enabled'), false);
    assert.equal([shownIn(embeds, 'title'), shownIn(embeds, 'color')], ['Other', 'no colour']);
    assert.is(shownIn(embeds, 'authorName') ?? '', '');
    const stored = await world.server.request('GET', '//web/settings/sharing', { headers: world.headers });
    assert.is(isTicked(stored, 'enabled'), true);
    assert.equal([shownIn(stored, 'title'), shownIn(stored, 'color')], ['Mine', '#fff']);

    for (const events of [[], ['paste.created'], ['paste.created', 'url.created']]) {
      const form = new FormData();
      form.set('url', 'no address');
      form.set('format', 'json');
      for (const event of events) form.append('events', event);
      const webhook = await send(world, '/settings/webhook', form);
      assert.is(webhook.status, 400);
      assert.equal([shownIn(webhook, 'url'), chosenIn(webhook, 'format')], ['no address', 'json']);
      const all = ['image.created', 'image.deleted', 'paste.created', 'url.created', 'url.exhausted'];
      assert.equal(
        all.filter((event) => isTicked(webhook, `event-${event}`)),
        events,
      );
    }

    const long = 'x'.repeat(1_500);
    const profile = await send(world, '/settings', { website: long, github: 'me' });
    assert.is(profile.status, 400);
    assert.equal([shownIn(profile, 'website'), shownIn(profile, 'github')], [long, 'me']);

    const mailbox = await send(world, '/mailboxes', { name: 'no name!', expiresIn: '24h' });
    assert.is(mailbox.status, 400);
    assert.equal([shownIn(mailbox, 'name'), chosenIn(mailbox, 'expiresIn')], ['no name!', '24h']);
  },
);

again(
  'a failed webhook test is reported at the top of the page and leaves its settings unchanged',
  async (world) => {
    const form = new FormData();
    for (const event of ['image.created', 'paste.created']) form.append('events', event);
    assert.is((await send(world, '/settings/webhook', form)).status, 303);
    const failed = await send(world, '/settings/webhook/test', {});
    assert.ok(failed.status >= 400);
    assert.match(failed.text, 'class="notice problem" role="alert"');
    assert.is(isTicked(failed, 'event-paste.created'), true);
    assert.is(isTicked(failed, 'event-url.created'), false);
  },
);

again(
  'a refused change of an account shows what was typed, and its error in the submitted form',
  async (world) => {
    const { server } = world;
    const { id, username, email } = await server.account();
    const headers = { cookie: `session_token=${await sessionOf(server, server.owner)}` };
    const admin = { ...world, headers };
    const form = { action: 'save', username: 'no name!', email: 'new@example.com', role: 'TESTER' };
    const refused = await send(admin, `/admin/users/${id}`, form);
    assert.is(refused.status, 400);
    assert.equal([shownIn(refused, 'username'), shownIn(refused, 'email')], ['no name!', 'new@example.com']);
    assert.is(chosenIn(refused, 'role'), 'TESTER');

    const kept = await send(admin, `/admin/users/${id}`, { action: 'delete', confirm: 'somebody' });
    assert.is(kept.status, 400);
    assert.match(card(kept, 'Delete account'), 'role="alert"');
    assert.not.match(card(kept, 'Account'), 'role="alert"');
    assert.equal([shownIn(kept, 'username'), shownIn(kept, 'email')], [username, email]);

    const made = await send(admin, '/admin/users', { username: 'no name!', email, role: 'MODERATOR' });
    assert.equal([made.status, chosenIn(made, 'role')], [400, 'MODERATOR']);
  },
);

again('a refused change of a collection is reported in the card whose form was sent', async (world) => {
  const { server, headers } = world;
  const made = await server.request('POST', '/image/playlist/create', { headers, json: { title: 'Walks' } });
  const path = `/collections/${made.body.message.uniqueId}`;
  const added = await send(world, path, { action: 'add', id: 'nothere' });
  assert.ok(added.status >= 400);
  assert.match(added.text, 'role="alert"');
  assert.is(shownIn(added, 'id'), 'nothere');
  assert.not.match(card(added, 'Details'), 'role="alert"');
  assert.is(shownIn(added, 'title'), 'Walks');

  const long = 'x'.repeat(1_000);
  const worded = await send(world, path, { action: 'words', title: long, description: 'Far' });
  assert.is(worded.status, 400);
  assert.match(card(worded, 'Details'), 'role="alert"');
  assert.is(shownIn(worded, 'title'), long);
  assert.ok(errorAt(worded, 'title'));
});

again.run();
