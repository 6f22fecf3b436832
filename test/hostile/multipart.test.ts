/**
 * Malicious forms: each gets a clear answer, its data is removed, and file names never leave their folder.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { filesIn, isClear, nothingStaged } from './guarantees.js';
import { file, forms, names } from './inputs/forms.js';
import { ask, headOf } from './raw.js';

const test = suite('hostile forms');
let server: TestServer;
test.before(async () => {
  server = await startServer({ MAX_UPLOAD_BYTES: String(4 * 1024 * 1024) });
});
test.after(() => server.close());

const send = (target: string, headers: Readonly<Record<string, string>>, body: string) =>
  ask(
    server.app.address.port,
    `${headOf('POST', target, { 'X-API-Key': server.owner.key, ...headers })}${body}`,
  );

for (const [what, { headers, body, status }] of Object.entries(forms)) {
  test(`${what}: ${status.join(' or ')}`, async () => {
    const answer = await send('/v1/image/upload', headers, body);
    isClear(answer, what);
    assert.ok(status.includes(answer.status), `${answer.status} ${answer.body}`);
    for (const target of ['/v1/paste/create', '/v1/image/upload/zip', '/v1/email/inbound'])
      isClear(await send(target, headers, body), `${what} at ${target}`);
    await nothingStaged(server.dataDir);
  });
}

for (const [parameters, kept] of names) {
  test(`a file with ${parameters.slice(0, 60)} gets a harmless name`, async () => {
    const body = `${file(parameters)}--b--\r\n`;
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': String(body.length),
    };
    const answer = await send('/v1/image/upload', headers, body);
    assert.is(answer.status, 200, answer.body.toString());
    const record = JSON.parse(answer.body.toString()).message;
    assert.is(record.originalName, kept);
    const target = `/v1/image/get/${record.uniqueId}?download=true`;
    const sent = await ask(server.app.address.port, headOf('GET', target, {}));
    assert.is(sent.status, 200);
    assert.is(sent.headers.get('set-cookie'), undefined);
    const [disposition = ''] = sent.headers.get('content-disposition') ?? [];
    assert.match(
      disposition,
      /^attachment(; filename="(?:[^"\\]|\\.)*")?(; filename\*=UTF-8''[\w!#$&+.^`|~%-]*)?$/,
    );
  });
}

test('object prototypes are unchanged, and the server keeps running', async () => {
  assert.is(({} as Record<string, unknown>).polluted, undefined);
  assert.is((await server.request('GET', '/status')).status, 200);
  assert.equal([await filesIn(server.dataDir, 'staging'), await filesIn(server.dataDir, 'tmp')], [0, 0]);
});

test.run();
