// on both databases
/** What accounts change about themselves, and what is done to their mailboxes, as the audit log tells it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { digitsOf, enableSecondFactor, forgetLastCode } from '../../support/accounts/second-factor.js';
import { pngPhoto } from '../../support/media/media-fixtures.js';

interface World {
  server: TestServer;
}
const audit = suite<World>('audit log');

audit.before(async (world) => {
  world.server = await startServer();
});
audit.after(({ server }) => server.close());

interface Entry {
  event: string;
  type: string;
  actorId: number | null;
  subjectId: number | null;
  details: Record<string, unknown>;
  description: string;
  source: string | null;
}

/** The entries of one event about an account, newest first. */
async function entriesOf(server: TestServer, { id }: TestAccount, event: string): Promise<Entry[]> {
  const path = `/admin/system/auditlog?uid=${id}&event=${event}`;
  const { status, body } = await server.request('GET', path, { key: server.owner.key });
  assert.is(status, 200);
  return body.message;
}

const told = ({ type, actorId, subjectId, details }: Entry) => ({ type, actorId, subjectId, details });

audit('a changed profile is told with its fields, never with their values', async ({ server }) => {
  const user = await server.account();
  const patch = (json: object) => server.request('PATCH', '/user/me/socials', { key: user.key, json });
  assert.is((await patch({ github: 'octocat', website: 'https://me.example' })).status, 200);
  assert.is((await patch({ github: 'octocat', twitter: '' })).status, 200, 'nothing is different');
  assert.is((await patch({ github: 'a\u0000b' })).status, 400);
  assert.is((await patch({ website: null })).status, 200);
  const own = { type: 'USER_UPDATE_PROFILE', actorId: user.id, subjectId: user.id };
  const entries = await entriesOf(server, user, 'profile.changed');
  assert.equal(entries.map(told), [
    { ...own, details: { fields: 'website' } },
    { ...own, details: { fields: 'website github' } },
  ]);
  assert.is(entries[1]?.description, 'Changed the own profile (fields: website github)');
  assert.is(entries[0]?.source, '127.0.0.1');
});

audit('so are changed settings of addresses, metadata and embeds', async ({ server }) => {
  const user = await server.account();
  const patch = async (name: string, json: object) => {
    const answer = await server.request('PATCH', `/user/get/@me/settings/${name}`, { key: user.key, json });
    assert.is(answer.status, 204, answer.text);
  };
  await patch('url', { image: 'RAW', url: 'SHORT' });
  await patch('url', { image: 'raw' });
  await patch('media', { metadata: 'keep' });
  await patch('media', { metadata: 'keep' });
  await patch('media', {});
  await patch('webhook', { title: 'Look', enabled: true });
  await patch('webhook', { title: 'Look' });
  const own = { type: 'USER_SETTINGS_CHANGE', actorId: user.id, subjectId: user.id };
  assert.equal((await entriesOf(server, user, 'settings.changed')).map(told), [
    { ...own, details: { fields: 'title enabled' } },
    { ...own, details: { fields: 'metadata' } },
    { ...own, details: { fields: 'image url' } },
  ]);
});

audit('a new picture, and its removal', async ({ server }) => {
  const user = await server.account();
  const path = '/user/get/@me/avatar';
  const form = fileForm(await pngPhoto(), 'me.png');
  assert.is((await server.request('PUT', path, { key: user.key, form })).status, 200);
  const refused = fileForm('words', 'me.txt');
  assert.is((await server.request('PUT', path, { key: user.key, form: refused })).status, 400);
  assert.is((await server.request('DELETE', path, { key: user.key })).status, 200);
  const own = { type: 'PROFILE_PICTURE_CHANGE', actorId: user.id, subjectId: user.id };
  assert.equal((await entriesOf(server, user, 'picture.changed')).map(told), [
    { ...own, details: { removed: true } },
    { ...own, details: { removed: false } },
  ]);
});

audit('new recovery codes, without the codes', async ({ server }) => {
  const user = await server.account();
  const { key, password } = user;
  const { secret } = await enableSecondFactor(server, user);
  const renew = (json: object) => server.request('POST', '/auth/me/totp/recovery', { key, json });
  assert.is((await renew({ password: 'not the password', code: digitsOf(secret) })).status, 403);
  await forgetLastCode(server, user);
  assert.is((await renew({ password, code: digitsOf(secret) })).status, 200);
  const own = { type: 'TWO_FACTOR_BACKUP_CODES_REGENERATE', actorId: user.id, subjectId: user.id };
  assert.equal((await entriesOf(server, user, 'factor.renewed')).map(told), [{ ...own, details: {} }]);
});

audit('a suspended mailbox, with who did it and whose it is, and no address', async ({ server }) => {
  const user = await server.account();
  const made = await server.request('POST', '/email/create', { key: user.key, json: {} });
  const { email, id } = made.body.message;
  const stranger = await server.account();
  const suspend = (key: string) => server.request('POST', `/email/${email}/suspend`, { key });
  assert.is((await suspend(stranger.key)).status, 404);
  assert.is((await suspend(server.owner.key)).status, 200);
  const [entry, ...others] = await entriesOf(server, user, 'mailbox.suspended');
  assert.equal(others, []);
  assert.equal(entry && told(entry), {
    ...{ type: 'TEMP_MAIL_SUSPEND', actorId: server.owner.id, subjectId: user.id },
    details: { mailbox: id },
  });
  assert.not.match(JSON.stringify(entry), email);
});

audit('only administrators read it', async ({ server }) => {
  const user = await server.account('MODERATOR');
  const read = (key?: string) => server.request('GET', '/admin/system/auditlog', { key });
  assert.equal([(await read()).status, (await read(user.key)).status], [401, 403]);
});

audit.run();
