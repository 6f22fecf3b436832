import * as assert from 'uvu/assert';
import { mapLimit } from '../../../routers/base/map-limit.js';
import { SETTINGS_PATH } from './actions.js';
import { type Client, sha256 } from './client.js';
import type { Ledger } from './ledger.js';
import { checkParts } from './parts.js';

/** Concurrent requests. */
const AT_ONCE = 8;

/** Checks everything in the ledger on a restarted server; throws at the first broken promise. */
export async function checkPromises(client: Client, ledger: Ledger): Promise<void> {
  await checkItems(client, ledger);
  await checkParts(client, ledger);
  await checkLinks(client, ledger);
  await checkSettings(client, ledger);
  await checkInvites(client, ledger);
}

async function checkItems(client: Client, { uploads, playlists, pastes, gone }: Ledger): Promise<void> {
  await mapLimit(AT_ONCE, [...uploads], async ([id, hash]) => {
    const { status, body } = await client.send('GET', `/image/get/${id}`);
    assert.is(status, 200, `upload ${id} was acknowledged`);
    assert.is(sha256(body), hash, `bytes of upload ${id}`);
  });
  await mapLimit(AT_ONCE, [...playlists], async ([id, images]) => {
    const { message } = await client.ask('GET', `/image/playlist/get/${id}`);
    const found = message.images.map((image: { uniqueId: string }) => image.uniqueId);
    assert.equal(found.sort(), [...images].sort(), `images of playlist ${id}`);
    for (const image of images)
      assert.is((await client.send('GET', `/image/get/${image}`)).status, 200, `image ${image} of ${id}`);
  });
  await mapLimit(AT_ONCE, [...pastes], async ([id, text]) => {
    const { status, body } = await client.send('GET', `/paste/get/${id}?raw=true`);
    assert.is(status, 200, `paste ${id} was acknowledged`);
    assert.is(body.toString(), text, `text of paste ${id}`);
  });
  await mapLimit(AT_ONCE, [...gone], async (path) => {
    assert.is((await client.send('GET', path)).status, 404, `deletion of ${path} was acknowledged`);
  });
}

async function checkLinks(client: Client, { links }: Ledger): Promise<void> {
  await mapLimit(AT_ONCE, [...links], async ([id, { sent, answered, maxUses }]) => {
    const { message } = await client.ask('GET', `/url/get/${id}`);
    assert.ok(message.visits >= answered, `link ${id}: ${message.visits} counted, ${answered} answered`);
    assert.ok(message.visits <= sent, `link ${id}: ${message.visits} counted, ${sent} sent`);
    assert.ok(maxUses === null || message.visits <= maxUses, `link ${id} was followed beyond its limit`);
  });
}

/** The observed result of an unacknowledged change is the expected one from now on. */
async function checkSettings(client: Client, { settings }: Ledger): Promise<void> {
  const { message } = await client.ask('GET', SETTINGS_PATH);
  for (const [name, setting] of settings) {
    const found: string | null = message[name];
    assert.ok(found === setting.held || found === setting.sent, `setting ${name}: ${found} is there`);
    setting.held = found;
    setting.sent = null;
  }
}

async function checkInvites(client: Client, { invites, accounts }: Ledger): Promise<void> {
  const unused = await unusedInvites(client);
  for (const code of invites) assert.ok(unused.has(code), `invite ${code} was acknowledged`);
  for (const [username, code] of accounts) {
    assert.not.ok(unused.has(code), `invite ${code} was used by ${username}`);
    assert.is((await client.send('GET', `/user/get/${username}`)).status, 200, `account ${username}`);
  }
}

async function unusedInvites(client: Client): Promise<ReadonlySet<string>> {
  const codes = new Set<string>();
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const { body } = await client.send('GET', `/admin/invite/get?used=false&size=500&page=${page}`);
    const { message, totalPages } = JSON.parse(body.toString());
    for (const { code } of message) codes.add(code);
    pages = totalPages;
  }
  return codes;
}
