/** Lists that are made while they are sent. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeLines } from '../../rest-adapter/reply/lines.js';
import { Lines } from '../../routers/base/lines.js';
import { createQueuePerHolder } from '../../routers/base/turns.js';
import type { Context } from '../../routers/core/context.js';
import { until } from '../support/until.js';

const test = suite('lists made while they are sent');

const LINE = 'x'.repeat(1_000);
const LINES = 200;

test('are made in parts, one at a time for a network, and others do not wait for its downloads', async () => {
  const limits = { lines: createQueuePerHolder({ atOnce: 1, waiting: 100 }) };
  const ended: string[] = [];
  const making = new Map<string, number>();
  let together = 0;
  const server = createServer((req, res) => {
    const network = req.url ?? '';
    async function* each() {
      for (let line = 0; line < (network === '/one' ? LINES : 1); line += 1) {
        const others = making.get(network) ?? 0;
        together = Math.max(together, others + 1);
        making.set(network, others + 1);
        await nextTurn();
        making.set(network, (making.get(network) ?? 1) - 1);
        yield LINE;
      }
    }
    const ctx = { app: { limits }, network: () => network } as unknown as Context;
    writeLines(ctx, res, new Lines('csv', 'list.csv', each), false).then(() => ended.push(network));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const get = async (path: string) => {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  };
  try {
    const many = Array.from({ length: 10 }, () => get('/one'));
    assert.is(await get('/other'), LINE);
    assert.equal(ended, ['/other']);
    for (const text of await Promise.all(many)) assert.is(text.length, LINES * LINE.length);
    assert.is(together, 1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('stop being made when the client leaves', async () => {
  const limits = { lines: createQueuePerHolder({ atOnce: 1, waiting: 100 }) };
  let isEnded = false;
  async function* each() {
    try {
      for (;;) yield LINE;
    } finally {
      isEnded = true;
    }
  }
  const ctx = { app: { limits }, network: () => 'one' } as unknown as Context;
  const written: Promise<void>[] = [];
  const server = createServer((_, res) => {
    written.push(writeLines(ctx, res, new Lines('json', 'list.json', each), false));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const leaving = new AbortController();
    const { body } = await fetch(`http://127.0.0.1:${port}/`, { signal: leaving.signal });
    await body?.getReader().read();
    leaving.abort();
    await Promise.all(written);
    await until(() => isEnded);
    assert.is(await limits.lines('one', async () => 'free'), 'free');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test.run();
