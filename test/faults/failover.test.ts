/**
 * The primary dies under load and its synchronous standby takes over, behind an address that follows it: nothing that was
 * acknowledged is lost, limits stay exact, and the servers recover by themselves. HOLDALL_FAULT_ROUNDS says how often.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OWNER, startServer } from '../support/servers/server-process.js';
import {
  type Cluster,
  openCluster,
  openStandby,
  postgresPrograms,
} from '../support/stores/postgres-cluster.js';
import { until } from '../support/until.js';
import { Client } from './clients/client.js';
import { checkPromises } from './clients/guarantees.js';
import { newActor, startTroubledLoad } from './servers/troubled.js';

const ROUNDS = Number(process.env.HOLDALL_FAULT_ROUNDS ?? 2);
const key = OWNER.OWNER_API_KEY;
const programs = postgresPrograms();
const test = suite('failover to a standby');

/** An address that leads to one cluster at a time, as a virtual address or a proxy does. */
async function followingAddress(first: Cluster) {
  let leader = first;
  const open = new Set<Socket>();
  const proxy = createServer((socket) => {
    const upstream = connect(Number(new URL(leader.url).port), '127.0.0.1');
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      open.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        open.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(first.url);
  url.port = String((proxy.address() as AddressInfo).port);
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    follow: (cluster: Cluster) => {
      leader = cluster;
      cut();
    },
    close: () => {
      proxy.close();
      cut();
    },
  };
}

const isVisit = ({ status }: { readonly status: number }): boolean => status === 301 || status === 302;

if (programs !== null)
  test('a standby that takes over has everything that was acknowledged', async () => {
    let primary: Cluster = await openCluster(programs);
    const clusters = [primary];
    const address = await followingAddress(primary);
    const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
    const env = { DATABASE_URL: address.url, LOG_LEVEL: 'warn' };
    const servers = await Promise.all([startServer({ dataDir, env }), startServer({ dataDir, env })]);
    const [client, other] = servers.map(({ origin }) => new Client(origin, key)) as [Client, Client];
    try {
      const actor = await newActor(client);
      for (let round = 0; round < ROUNDS; round += 1) {
        const standby = await openStandby(programs, primary);
        clusters.push(standby);
        const link = await client.json('POST', '/url/create', { url: 'https://example.org/', maxUses: 9 });
        const visit = () => client.send('GET', `/url/r/${link.uniqueId}`);
        const before = await Promise.all([visit(), visit(), visit(), visit()]);
        assert.is(before.filter(isVisit).length, 4);

        const load = startTroubledLoad(actor, [503]);
        await load.acknowledged(60);
        await primary.kill('SIGKILL');
        await load.refused(5);
        await standby.promote();
        address.follow(standby);
        await load.acknowledged(40);
        await load.stop();
        await until(async () => (await other.send('GET', '/status')).status === 200);
        await checkPromises(other, actor.ledger);
        const after = await Promise.all(Array.from({ length: 12 }, visit));
        assert.is(after.filter(isVisit).length, 5, 'four of nine uses were before');
        await primary.remove();
        primary = standby;
      }
      for (const server of servers) assert.is(await server.stop(), 0, 'the servers lived on');
    } finally {
      for (const one of [client, other]) one.close();
      for (const server of servers) await server.stop();
      address.close();
      for (const cluster of clusters) await cluster.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

test.run();
