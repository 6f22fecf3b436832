/** For any Range and If-Range: exactly the requested bytes, all of them, or 416. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { jpegPhoto, webmMovie } from '../support/media/media-fixtures.js';
import { isClear } from './guarantees.js';
import { type Outcome, ranges, SIZE } from './inputs/ranges.js';
import { ask, headOf, type RawAnswer } from './raw.js';

const test = suite('hostile ranges');
let server: TestServer;
let video: string;
const content = Buffer.from(Array.from({ length: SIZE }, (_, index) => index % 251));
const targets: string[] = [];

const stored = async (bytes: Uint8Array, name: string): Promise<string> => {
  const form = fileForm(bytes, name);
  return (await server.request('POST', '/image/upload', { key: server.owner.key, form })).body.uniqueId;
};
test.before(async () => {
  server = await startServer();
  const file = await stored(content, 'a.bin');
  // The hot path for plain addresses, and the router.
  targets.push(`/v1/image/get/${file}`, `/v1/image/get/${file}?raw=true`);
  video = await stored(webmMovie(), 'a.webm');
  await server.app.services.jobs.settle();
});
test.after(() => server.close());

const get = (target: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
  ask(server.app.address.port, headOf(method, target, headers), { head: method === 'HEAD' });

function holds(answer: RawAnswer, whole: Buffer, outcome: Outcome, what: string): void {
  isClear(answer, what);
  if (outcome === 'none') {
    assert.equal(
      [answer.status, answer.headers.get('content-range')],
      [416, [`bytes */${whole.length}`]],
      what,
    );
    return;
  }
  const [first, end] = outcome === 'whole' ? [0, whole.length] : outcome;
  const part = outcome === 'whole' ? undefined : [`bytes ${first}-${end - 1}/${whole.length}`];
  assert.equal([answer.status, answer.headers.get('content-range')], [part ? 206 : 200, part], what);
  assert.equal(answer.headers.get('content-length'), [String(end - first)], what);
  assert.ok(answer.body.equals(whole.subarray(first, end)), what);
}

for (const [range, outcome] of ranges) {
  const what = `${JSON.stringify(range.slice(0, 40))} (${range.length} characters)`;
  test(`${what}: ${outcome}`, async () => {
    for (const target of targets) {
      holds(await get(target, { Range: range }), content, outcome, what);
      const head = await get(target, { Range: range }, 'HEAD');
      // A range is only for GET (RFC 9110 §14.2).
      holds({ ...head, body: content }, content, 'whole', `HEAD ${what}`);
    }
  });
}

test('two Range headers count as one list of ranges', async () => {
  holds(await get(targets[0] ?? '', { Range: 'bytes=0-1', range: 'bytes=2-3' }), content, 'whole', 'two');
});

test('If-Range: only the identical strong tag allows a range', async () => {
  for (const target of targets) {
    const etag = (await get(target, {})).headers.get('etag')?.[0] ?? '';
    for (const [condition, outcome] of [
      [etag, [0, 2]],
      [` ${etag} `, [0, 2]],
      [`W/${etag}`, 'whole'],
      [etag.toUpperCase(), 'whole'],
      [etag.slice(1, -1), 'whole'],
      [`${etag}, "x"`, 'whole'],
      ['*', 'whole'],
      ['', 'whole'],
      ['"', 'whole'],
      [new Date().toUTCString(), 'whole'],
      ['Thu, 01 Jan 1970 00:00:00 GMT', 'whole'],
      ['x'.repeat(8_000), 'whole'],
    ] as [string, Outcome][])
      holds(await get(target, { Range: 'bytes=0-1', 'If-Range': condition }), content, outcome, condition);
    const both = { Range: 'bytes=0-1', 'If-None-Match': `"x", W/${etag}`, 'If-Range': etag };
    assert.is((await get(target, both)).status, 304);
    // The condition is checked before the range.
    assert.is((await get(target, { Range: 'bytes=5000-', 'If-Range': '"other"' })).status, 200);
  }
});

test('videos, posters and renditions follow the same rules; content without ranges ignores them', async () => {
  const photo = await stored(await jpegPhoto(1, 320, 240), 'a.jpg');
  for (const target of [
    `/v1/image/get/video/${video}`,
    `/v1/image/get/poster/${video}`,
    `/v1/image/get/${photo}?width=160&format=webp`,
  ]) {
    const whole = (await get(target, {})).body;
    assert.ok(whole.length > 0, target);
    for (const [range, outcome] of [
      ['bytes=1-2', [1, 3]],
      ['bytes=-3', [whole.length - 3, whole.length]],
      [`bytes=${whole.length}-`, 'none'],
      ['bytes=0-0,2-2', 'whole'],
    ] as [string, Outcome][])
      holds(await get(target, { Range: range }), whole, outcome, `${target} ${range}`);
  }
  const json = { text: 'hello', title: 't' };
  const { body } = await server.request('POST', '/paste/create', { key: server.owner.key, json });
  for (const [range] of ranges)
    for (const target of [
      `/v1/paste/get/${body.uniqueId}?raw=true`,
      `/v1/image/get/${photo}?base64=true&raw`,
    ]) {
      const answer = await get(target, { Range: range });
      assert.equal(
        [answer.status, answer.headers.get('content-range')],
        [200, undefined],
        `${target} ${range}`,
      );
    }
});

test.run();
