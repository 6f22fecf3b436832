import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { routes } from '../../rest-adapter/routes/index.js';
import { SCOPES, type Scope } from '../../routers/core/scopes.js';
import { plainProcedure } from '../../routers/index.js';
import { startServer, type TestServer } from '../harness.js';

const test = suite<{ server: TestServer }>('a refusal before the body has arrived');

test.before(async (context) => {
  context.server = await startServer();
});
test.after(({ server }) => server.close());

/** Sends the head of a request and a part of its body, and reads the answer up to the end of the connection or of its body. */
async function begin(server: TestServer, head: string, part: string) {
  const socket = connect(Number(new URL(server.base).port), '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.write(`${head}\r\nHost: localhost\r\n\r\n${part}`);
  const isWhole = () => {
    const [start = '', body = ''] = text.split('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(start)?.[1];
    return length !== undefined && body.length >= Number(length);
  };
  while (!isWhole()) await Promise.race([once(socket, 'data'), once(socket, 'end')]);
  return { socket, text };
}

const refusals: readonly (readonly [name: string, line: string, headers: string])[] = [
  ['401', 'POST /v1/image/upload', 'X-API-Key: wrong\r\nContent-Type: multipart/form-data; boundary=x'],
  ['403', 'POST /v1/auth/login', 'Origin: https://other.example\r\nContent-Type: application/json'],
  ['403', 'POST /trpc/auth.login', 'Origin: https://other.example\r\nContent-Type: application/json'],
  [
    '403',
    'POST /web/login',
    'Origin: https://other.example\r\nAccept: text/html\r\nContent-Type: application/x-www-form-urlencoded',
  ],
  ['404', 'POST /v1/nowhere', 'Content-Type: application/json'],
  ['413', 'POST /trpc/paste.create', 'Content-Type: application/json'],
  ['404', 'POST /web/nowhere', 'Accept: text/html\r\nContent-Type: application/x-www-form-urlencoded'],
  ['405', 'PUT /v1/image/upload', 'Content-Type: application/json'],
];

for (const [status, line, headers] of refusals)
  test(`${line}: ${status} says that the connection ends, and can be read while the client still sends`, async ({
    server,
  }) => {
    const head = `${line} HTTP/1.1\r\n${headers}\r\nContent-Length: 50000000`;
    const { socket, text } = await begin(server, head, 'x'.repeat(1000));
    assert.match(text, `HTTP/1.1 ${status}`);
    assert.match(text, /\r\nconnection: close\r\n/i);
    socket.destroy();
  });

/** Every operation with a body that needs a scope, by its address with an id in it. */
const scoped = routes
  .filter(({ body, procedure }) => body !== 'none' && plainProcedure(procedure).needs.scope !== null)
  .map(({ method, path, procedure, body }) => ({
    line: `${method} /v1${path.replace(/\{\w+\}/g, 'ABCDEFGH')}`,
    scope: plainProcedure(procedure).needs.scope as Scope,
    body,
  }));

const keyWith = async (server: TestServer, json: object): Promise<string> =>
  (
    await server.request('POST', '/user/get/@me/keys', {
      key: server.owner.key,
      json: { name: 'k', ...json },
    })
  ).body.message.key;

/** What a body of this kind may be announced as. */
const typesOf = (body: string): readonly string[] =>
  body === 'file'
    ? ['multipart/form-data; boundary=x', 'image/png']
    : [body === 'part' ? 'application/offset+octet-stream' : 'application/json'];

test('a key without the scope of an operation is told so before any byte of the body, on each of them', async ({
  server,
}) => {
  const keys = new Map<Scope, string>();
  for (const scope of new Set(scoped.map((route) => route.scope)))
    keys.set(scope, await keyWith(server, { scopes: SCOPES.filter((other) => other !== scope) }));
  const wrong: string[] = [];
  for (const { line, scope, body } of scoped)
    for (const type of typesOf(body)) {
      const headers = `X-API-Key: ${keys.get(scope)}\r\nContent-Type: ${type}\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 1000`;
      const head = `${line} HTTP/1.1\r\n${headers}\r\nContent-Length: 1000`;
      const { socket, text } = await begin(server, head, '');
      socket.destroy();
      if (!text.startsWith('HTTP/1.1 403') || !text.includes(`lacks the scope ${scope}`))
        wrong.push(`${line} ${type}: ${text}`);
    }
  assert.equal(wrong, []);
});

/** The ways to send a file: its address, and the type of the body. */
const UPLOADS: readonly (readonly [line: string, type: string])[] = [
  ['POST /v1/image/upload', 'multipart/form-data; boundary=x'],
  ['POST /v1/image/upload', 'image/png'],
  ['POST /v1/image/upload/cloud', 'image/png'],
  ['POST /v1/image/upload/zip', 'application/zip'],
  ['POST /v1/image/upload/resumable', 'application/offset+octet-stream'],
  ['PUT /v1/image/get/ABCDEFGH', 'image/png'],
  ['PUT /v1/user/get/@me/avatar', 'image/png'],
  ['POST /v1/paste/create', 'text/plain'],
  ['POST /v1/url/import', 'text/csv'],
  ['POST /trpc/paste.create', 'application/json'],
  ['POST /web/image-upload', 'multipart/form-data; boundary=x'],
  ['POST /web/edit/image/ABCDEFGH/file', 'multipart/form-data; boundary=x'],
  ['POST /web/settings/avatar', 'multipart/form-data; boundary=x'],
];

test('a key without the scope, a guest and a paused account are refused before a file arrives', async ({
  server,
}) => {
  const paused = await server.account();
  await server.request('POST', `/admin/limits/users/${paused.id}/pause`, {
    key: server.owner.key,
    json: { indefinite: true },
  });
  const keys = {
    'lacks the scope': await keyWith(server, { scopes: ['stats:read'] }),
    'may not do this': (await server.account('GUEST')).key,
    'is paused': paused.key,
  };
  const wrong: string[] = [];
  for (const [reason, key] of Object.entries(keys))
    for (const [line, type] of UPLOADS) {
      const headers = `X-API-Key: ${key}\r\nContent-Type: ${type}\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 1000`;
      const { socket, text } = await begin(
        server,
        `${line} HTTP/1.1\r\n${headers}\r\nContent-Length: 1000`,
        '',
      );
      socket.destroy();
      if (!text.startsWith('HTTP/1.1 403') || !text.includes(reason))
        wrong.push(`${line} ${reason}: ${text}`);
    }
  assert.equal(wrong, []);
});

test('a key that may only create does not get to send what replaces', async ({ server }) => {
  const key = await keyWith(server, { scopes: SCOPES, createOnly: true });
  for (const path of ['/v1/image/get/ABCDEFGH', '/v1/user/get/@me/avatar']) {
    const head = `PUT ${path} HTTP/1.1\r\nX-API-Key: ${key}\r\nContent-Type: image/png\r\nContent-Length: 1000`;
    const { socket, text } = await begin(server, head, '');
    socket.destroy();
    assert.match(text, 'HTTP/1.1 403');
    assert.match(text, 'may only create');
  }
});

test('the key in a form is looked at before the file behind it', async ({ server }) => {
  const key = await keyWith(server, { scopes: ['stats:read'] });
  const part = `--x\r\nContent-Disposition: form-data; name="key"\r\n\r\n${key}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nab`;
  const head =
    'POST /v1/image/upload HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000000';
  const { socket, text } = await begin(server, head, part);
  socket.destroy();
  assert.match(text, 'HTTP/1.1 403');
  assert.match(text, 'lacks the scope images:write');
});

test('a request whose body has arrived keeps its connection', async ({ server }) => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' });
  const head = `POST /v1/auth/login HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const { socket, text } = await begin(server, head, body);
  assert.match(text, 'HTTP/1.1 403');
  assert.not.match(text, /\r\nconnection: close\r\n/i);
  socket.destroy();
});

test.run();
