/** `holdall share`: links of files, pastes and collections, printed and mailed, and who is told of them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER } from '../support/servers/server-process.js';

const sharing = suite<CommandWorld>('holdall share');
sharing.before(startCommandWorld);
sharing.after(endCommandWorld);

sharing('makes links of whatever can have them, with what they are asked to be', async (world) => {
  const { origin } = world.server;
  const env = { HOLDALL_ORIGIN: origin, HOLDALL_KEY: OWNER.OWNER_API_KEY };
  const holdall = (args: string[], input = '') => world.holdall(args, input, env);
  const call = async (path: string) => {
    const answer = await fetch(`${origin}/v1${path}`, { headers: { 'x-api-key': OWNER.OWNER_API_KEY } });
    return (await answer.json()).message;
  };
  const paste = (await done(holdall(['paste', '--private'], 'some text'))).trim();
  const id = paste.split('/').at(-1) ?? '';
  const options = ['--label', 'Ada', '--max-views', '2', '--notify', 'first', '--expires', '7d'];
  const link = (await done(holdall(['share', paste, ...options]))).trim();
  const [made] = (await call(`/paste/get/${id}/links`)).content;
  assert.equal(
    [made.url, made.label, made.maxViews, made.notify, made.expiresAt === null],
    [link, 'Ada', 2, 'first', false],
  );
  assert.is((await fetch(link)).status, 200);

  const answer = await fetch(`${origin}/v1/collection`, {
    method: 'POST',
    headers: { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Trip', isPublic: false }),
  });
  const { uniqueId } = (await answer.json()).message;
  for (const args of [[`${origin}/web/collection/${uniqueId}`], [uniqueId, '--kind', 'collection']])
    assert.is((await fetch((await done(holdall(['share', ...args]))).trim())).status, 200);
  assert.is((await call(`/collection/${uniqueId}/links`)).totalElements, 2);

  const shorten = (await done(holdall(['shorten', 'https://example.org']))).trim();
  for (const [args, code, says] of [
    [[shorten], 2, 'a short link is a link already'],
    [[paste, '--notify', 'sometimes'], 1, '--notify: use none, first, each or daily'],
    [[paste, '--to', 'a@example.org', '--password', 'x'], 2, '--password is for a link that is not mailed'],
    [[paste, '--to', 'a@example.org'], 1, 'mail'],
    [['NOTHING1'], 1, 'no item with the ID'],
  ] as const) {
    const { code: ended, err } = await holdall(['share', ...args]);
    assert.is(ended, code, `${args.join(' ')}: ${err}`);
    assert.match(err, says);
  }
});

sharing('a request for guests has a wall, and says how often one is told', async (world) => {
  const env = { HOLDALL_ORIGIN: world.server.origin, HOLDALL_KEY: OWNER.OWNER_API_KEY };
  const holdall = (args: string[]) => world.holdall(args, '', env);
  const made = await done(
    holdall(['request', 'create', 'Wedding', '--wall', 'approved', '--notify', 'daily', '--json']),
  );
  const { wall, notify } = JSON.parse(made);
  assert.equal([wall, notify], ['approved', 'daily']);
  const refused = await holdall(['request', 'create', 'Wedding', '--wall', 'some']);
  assert.is(refused.code, 1);
  assert.match(refused.err, '--wall');
});

sharing.run();
