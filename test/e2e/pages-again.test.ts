/** What a form shows when it was refused: nothing of what was typed is lost or sent unseen. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, fileForm, startServer, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts.js';
import { pngPhoto } from '../support/media-fixtures.js';

interface World {
  server: TestServer;
  headers: { cookie: string };
}

const again = suite<World>('pages: again');

again.before(async (world) => {
  world.server = await startServer();
});
again.before.each(async (world) => {
  const account = await world.server.account();
  world.headers = { cookie: `session_token=${await sessionOf(world.server, account)}` };
});
again.after(({ server }) => server.close());

/** Sends a form of a page as the signed-in, without scripts. */
const send = ({ server, headers }: World, path: string, form: Record<string, string> | FormData) =>
  server.request('POST', `//web${path}`, {
    headers,
    form: form instanceof FormData ? form : new URLSearchParams(form),
  });

/** The tag of a field, by its id. */
function tag({ text }: Answer, id: string): string {
  const found = new RegExp(`<(?:input|textarea)[^>]* ?id="${id}"[^>]*>`).exec(text)?.[0];
  assert.ok(found, `no field ${id}`);
  return found;
}

const shownIn = (answer: Answer, id: string) => /value="([^"]*)"/.exec(tag(answer, id))?.[1];
const isTicked = (answer: Answer, id: string) => / checked\b/.test(tag(answer, id));
const isRequired = (answer: Answer, id: string) => / required\b/.test(tag(answer, id));
const errorAt = ({ text }: Answer, id: string) =>
  new RegExp(`<p class="error" id="${id}-error">([^<]*)<`).exec(text)?.[1];

async function uploadOf({ server, headers }: World): Promise<string> {
  const form = fileForm(await pngPhoto(), 'a.png');
  return (await server.request('POST', '/image/upload', { headers, form })).body.uniqueId;
}

again(
  'an empty password leaves the one of an item as it is; only its own button removes it',
  async (world) => {
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
    assert.is(errorAt(refused, 'password'), 'type the password');
    assert.is(isRequired(refused, 'password'), true);
    assert.match(refused.text, /<button[^>]*value="unlock"[^>]*formnovalidate/i);
    assert.is((await send(world, path, { action: 'unlock', password: '' })).status, 303);
    assert.is(await locked(), false);
  },
);

again('a refused change of an item shows what was typed, and to nobody else the form', async (world) => {
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

again.run();
