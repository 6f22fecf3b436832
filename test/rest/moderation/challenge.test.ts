/** Challenges before what people without an account do, where the operator wants them (docs/api.md, Order). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { solutionOf } from '../../support/web/challenge.js';

const test = suite('challenges');
let server: TestServer;
let holder: TestAccount;
test.before(async () => {
  server = await startServer({ CHALLENGE_FOR: 'reports,requests' });
  holder = await server.account();
});
test.after(() => server.close());

const solved = async (): Promise<string> =>
  solutionOf((await server.request('GET', '/challenge')).body.message);
const UNSOLVED = 'The challenge was not solved, is too old or was already used; try again';

test('an anonymous report needs a solved challenge, and each solution serves once', async () => {
  const made = await server.request('POST', '/paste/create', { key: holder.key, json: { text: 'a' } });
  const { uniqueId } = made.body;
  const report = (token?: string, key?: string) =>
    server.request('POST', '/report', { key, json: { kind: 'paste', uniqueId, reason: 'spam', token } });
  const none = await report();
  assert.equal(
    [none.status, none.body.message],
    [400, 'token: solve the challenge of GET /challenge first, and send the result'],
  );
  const task = (await server.request('GET', '/challenge')).body.message;
  for (const wrong of ['nonsense', `${task.challenge}.x`, 'a'.repeat(4_000)])
    assert.equal([(await report(wrong)).status, (await report(wrong)).body.message], [400, UNSOLVED]);
  const token = await solved();
  assert.is((await report(token)).status, 200);
  assert.equal([(await report(token)).status, (await report(token)).body.message], [400, UNSOLVED]);
  assert.is((await report(undefined, holder.key)).status, 200, 'accounts need none');
  const { totalElements } = (await server.request('GET', '/admin/reports', { key: server.owner.key })).body
    .message;
  assert.is(totalElements, 2);
});

test('of the same solution sent at once one serves', async () => {
  const token = await solved();
  const json = { kind: 'paste', uniqueId: 'NOTHING1', reason: 'spam', token };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => server.request('POST', '/report', { json })),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 1);
});

test('guests of a request link solve one challenge, then send as many files as they like', async () => {
  const made = await server.request('POST', '/request/create', {
    key: holder.key,
    json: { title: 'Papers', password: 'open sesame' },
  });
  const { uniqueId } = made.body.message;
  const path = `/request/open/${uniqueId}`;
  const give = (query = '', key?: string) =>
    server.request('POST', `${path}/files${query}`, { key, form: fileForm('text', 'a.txt') });
  const shown = (await server.request('GET', `${path}?password=open%20sesame`)).body.message;
  assert.is(shown.requiresChallenge, true);
  const refused = await give('?password=open%20sesame');
  assert.is(refused.status, 403);
  assert.match(refused.body.message, 'Solve a challenge first');
  const unlock = (json: object) => server.request('POST', path, { json });
  const token = await solved();
  assert.is((await unlock({ token })).status, 403, 'the password is needed as well');
  assert.is((await unlock({ password: 'open sesame' })).status, 400);
  const { ticket } = (await unlock({ password: 'open sesame', token })).body.message;
  for (let count = 0; count < 3; count += 1) assert.is((await give(`?ticket=${ticket}`)).status, 200);
  assert.is((await unlock({ password: 'open sesame', token })).status, 400, 'a solution serves once');
  assert.is((await give('?password=open%20sesame', holder.key)).status, 200, 'accounts need none');

  const page = await server.request('GET', `//web/request/${uniqueId}`);
  assert.is(page.status, 403);
  assert.match(page.text, 'data-challenge=');
  assert.match(page.text, 'name="password"');
});

test('without the setting nobody is asked, and there is no challenge', async () => {
  const plain = await startServer();
  try {
    assert.is((await plain.request('GET', '/challenge')).status, 404);
    const json = { kind: 'paste', uniqueId: 'NOTHING1', reason: 'spam' };
    assert.is((await plain.request('POST', '/report', { json })).status, 200);
    assert.is((await server.request('GET', '/email/create/public')).status, 404, 'it makes no mailboxes');
  } finally {
    await plain.close();
  }
});

test.run();
