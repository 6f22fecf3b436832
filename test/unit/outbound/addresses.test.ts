import type { LookupAddress, lookup } from 'node:dns';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OutboundFailed } from '../../../routers/base/ports/outbound.js';
import { checkAddress, guardedLookup, parseAllowList } from '../../../server/drivers/outbound/addresses.js';
import { postWebhook, readWebhookUrl } from '../../../server/drivers/outbound/webhook.js';
import { startWebhookReceiver } from '../../standins/webhook-receiver.js';
import { until } from '../../support/until.js';

const addresses = suite('addresses that user-supplied URLs may reach');
const loopback = parseAllowList(['127.0.0.0/8', '::1']);

const refused = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

addresses('everything but public unicast is refused', () => {
  for (const address of refused) {
    assert.throws(() => checkAddress(address, 'https:', []), /not public/, address);
  }
});

addresses('public addresses are reachable by https and never by http', () => {
  for (const address of ['8.8.8.8', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8']) {
    checkAddress(address, 'https:', []);
    assert.throws(() => checkAddress(address, 'http:', loopback), /Only https/, address);
  }
});

addresses('the allow list opens exactly its own networks, also for http', () => {
  const allow = parseAllowList(['10.1.0.0/16', '192.168.7.7', 'fd00::/8']);
  for (const address of ['10.1.255.1', '192.168.7.7', 'fd00::5', '::ffff:10.1.0.1']) {
    checkAddress(address, 'http:', allow);
    checkAddress(address, 'https:', allow);
  }
  for (const address of ['10.2.0.1', '192.168.7.8', 'fc00::1']) {
    assert.throws(() => checkAddress(address, 'https:', allow), /not public/, address);
  }
});

addresses('an error about the allow list names the wrong entry', () => {
  for (const entry of ['10.0.0.0/33', 'localhost', '10.0.0.0/', '::1/129']) {
    assert.throws(() => parseAllowList([entry]), new RegExp(entry.replaceAll('.', '\\.')), entry);
  }
});

addresses('every spelling of a private address in a URL is refused before any connection', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[0:0:0:0:0:0:0:1]',
    '①②⑦.⓪.⓪.①',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:0001::]',
  ]) {
    assert.throws(() => readWebhookUrl(`https://${host}/hook`, []), /not public/, host);
  }
});

addresses('anything but a plain https URL is refused with its reason', () => {
  for (const [url, reason] of [
    ['http://example.com/', /https/],
    ['ftp://example.com/', /https/],
    ['file:///etc/passwd', /https/],
    ['https://user:secret@example.com/', /username/],
    ['https://user@example.com/', /username/],
    ['example.com', /not a valid URL/],
    ['', /not a valid URL/],
    [`https://example.com/${'a'.repeat(2048)}`, /not a valid URL/],
  ] as const) {
    assert.throws(() => readWebhookUrl(url, []), reason, url);
  }
});

addresses('a name that resolves to a private address is refused on connection', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const port = new URL(receiver.url).port;
    await loses(() => postWebhook(`https://localhost:${port}/`, { body: '{}' }, { allow: [] }));
    assert.is(receiver.requests.length, 0);
  } finally {
    await receiver.close();
  }
});

addresses('one private address among public ones blocks the name', async () => {
  const resolve = answering([
    [
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  ]);
  await loses(() => postWebhook('https://mixed.example/', { body: '{}' }, { allow: [], resolve }));
});

addresses('a name is resolved once, and the connection uses the address that was checked', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const { port } = new URL(receiver.url);
    const resolve = answering([[{ address: '127.0.0.1', family: 4 }], [{ address: '10.0.0.1', family: 4 }]]);
    const url = `http://rebinding.example:${port}/`;
    const receipt = await postWebhook(url, { body: '{}' }, { allow: loopback, resolve });
    assert.is(receipt.status, 204);
    assert.is(receiver.requests[0]?.headers.host, `rebinding.example:${port}`);
    await loses(() => postWebhook(url, { body: '{}' }, { allow: loopback, resolve }));
    assert.is(receiver.requests.length, 1);
  } finally {
    await receiver.close();
  }
});

addresses('names that get no answer hold only a few of the threads that look names up', async () => {
  const waiting: ((error: Error | null, found: LookupAddress[]) => void)[] = [];
  const resolve = ((_name: string, _options: unknown, callback: (typeof waiting)[number]) =>
    waiting.push(callback)) as unknown as typeof lookup;
  const guarded = guardedLookup('https:', [], resolve);
  const found: Promise<unknown>[] = [];
  for (let index = 0; index < 12; index += 1)
    found.push(
      new Promise((done) =>
        guarded(`silent-${index}.example`, { all: true }, (error, list) => done(error ?? list)),
      ),
    );
  await nextTurn();
  assert.is(waiting.length, 4);
  const list = [{ address: '93.184.216.34', family: 4 }];
  for (let answered = 0; answered < 12; answered += 1) {
    await until(async () => waiting.length > answered);
    assert.ok(waiting.length <= answered + 4);
    waiting[answered]?.(null, list);
  }
  assert.equal(await Promise.all(found), Array(12).fill(list));
});

/** A resolver that returns one list of addresses after the other. */
function answering(lists: { address: string; family: number }[][]): typeof lookup {
  const resolve = (
    _name: string,
    _options: unknown,
    callback: (error: Error | null, found: { address: string; family: number }[]) => void,
  ) => callback(null, lists.shift() ?? []);
  return resolve as unknown as typeof lookup;
}

/** A name that leads to a forbidden address looks like one that does not exist. */
async function loses(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    assert.instance(error, OutboundFailed);
    assert.match((error as Error).message, 'could not be found, or has no public address');
    return;
  }
  assert.unreachable('must fail');
}

addresses.run();
