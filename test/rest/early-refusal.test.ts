import { once } from 'node:events';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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

test('a request whose body has arrived keeps its connection', async ({ server }) => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' });
  const head = `POST /v1/auth/login HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const { socket, text } = await begin(server, head, body);
  assert.match(text, 'HTTP/1.1 403');
  assert.not.match(text, /\r\nconnection: close\r\n/i);
  socket.destroy();
});

test.run();
