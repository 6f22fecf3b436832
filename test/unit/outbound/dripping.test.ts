/** A service that answers byte by byte, and so is never silent, is given up, whatever it is asked for. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMailgun } from '../../../server/drivers/mail/mailgun.js';
import { openSmtp } from '../../../server/drivers/mail/smtp.js';
import { askProvider } from '../../../server/drivers/outbound/provider.js';
import { openScanner } from '../../../server/drivers/scanner/clamd.js';

const DRIP_MS = 5;
const WHOLE_MS = 300;

interface World {
  /** What the service says again and again. */
  drop: string;
  /** What it says first. */
  first: string;
  readonly port: number;
  readonly folder: string;
  /** Resolves once every connection is closed. */
  closed(): Promise<unknown>;
  close(): Promise<void>;
}

const test = suite<{ world: World }>('services that answer byte by byte');

test.before.each(async (context) => {
  const ends: Promise<void>[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined).resume();
    ends.push(new Promise((resolve) => socket.once('close', () => resolve())));
    open.add(socket);
    socket.write(world.first);
    const timer = setInterval(() => socket.write(world.drop), DRIP_MS);
    socket.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'holdall-drip-'));
  const world: World = {
    ...{ drop: '', first: '', port: (server.address() as AddressInfo).port, folder },
    closed: () => Promise.all(ends),
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
  context.world = world;
});
test.after.each(({ world }) => world.close());

/** The reason for which something fails. */
const failure = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: Error) => error,
  );

const mail = { to: 'ada@example.org', subject: 's', text: 't' };

test('an SMTP server that goes on greeting', async ({ world }) => {
  Object.assign(world, { first: '220 here\r\n', drop: '250-more\r\n' });
  const transport = openSmtp(`smtp://127.0.0.1:${world.port}`, 'a@holdall.example', WHOLE_MS);
  await failure(transport.send(mail));
  await world.closed();
});

test('a mail provider whose answer has no end', async ({ world }) => {
  Object.assign(world, {
    first: 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\nconnection: close\r\n\r\n',
    drop: ' ',
  });
  const account = { apiKey: 'k', domain: 'mg.example', url: `http://127.0.0.1:${world.port}` };
  const error = await failure(openMailgun(account, 'a@holdall.example', WHOLE_MS).send(mail));
  assert.match(error.message, /Mailgun/);
});

test('a scanner that never ends its line', async ({ world }) => {
  world.drop = 's';
  const file = join(world.folder, 'file');
  await writeFile(file, 'text');
  const scanner = openScanner({
    scanner: { address: { host: '127.0.0.1', port: world.port }, required: true, timeoutMs: WHOLE_MS },
  });
  const error = await failure(Promise.resolve(scanner?.scan(file)));
  assert.match(error.message, /takes too long/);
  await world.closed();
});

test('a provider of sign-in, challenges or chats', async ({ world }) => {
  Object.assign(world, { first: 'HTTP/1.1 200 OK\r\n', drop: 'x: y\r\n' });
  const url = new URL(`http://127.0.0.1:${world.port}/`);
  const call = { provider: 'It', url, method: 'POST', timeoutMs: WHOLE_MS } as const;
  const error = await failure(askProvider(call));
  assert.match(error.message, /did not respond within/);
  await world.closed();
});

test.run();
