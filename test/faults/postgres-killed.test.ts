/**
 * PostgreSQL dies repeatedly under load, and comes back. Callers see success or 503 in the envelope with
 * `Retry-After`, never a cut connection or silence; acknowledged data is there; the visit counts lie between
 * the answered and the sent ones. The servers keep running and recover by themselves: `/status` changes from
 * 503 to 200, jobs run, and a WebSocket that stayed open still reports mail that another process received.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { OWNER, startServer } from '../support/servers/server-process.js';
import { openCluster, postgresPrograms } from '../support/stores/postgres-cluster.js';
import { until } from '../support/until.js';
import type { Actor } from './clients/actions.js';
import { Client } from './clients/client.js';
import { checkPromises } from './clients/guarantees.js';
import { checkRefusal, newActor, startTroubledLoad } from './servers/troubled.js';

const ROUNDS = Number(process.env.HOLDALL_FAULT_ROUNDS ?? 2);
const key = OWNER.OWNER_API_KEY;
const programs = postgresPrograms();
const test = suite('PostgreSQL killed under load');

if (programs !== null)
  test('nothing acknowledged is lost, callers are told to retry, everything recovers', async () => {
    const cluster = await openCluster(programs);
    const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
    const env = { DATABASE_URL: cluster.url, EMAIL_INBOUND_TOKEN: 'worker-token', LOG_LEVEL: 'warn' };
    const servers = await Promise.all([startServer({ dataDir, env }), startServer({ dataDir, env })]);
    const [client, other] = servers.map(({ origin }) => new Client(origin, key)) as [Client, Client];
    try {
      const actor = await newActor(client);
      const { email } = (await client.json('POST', '/email/create', {})).message;
      const listener = new WebSocket(
        `${client.origin.replace('http', 'ws')}/ws/email?email=${email}&apiKey=${key}`,
      );
      await once(listener, 'open');
      for (let round = 0; round < ROUNDS; round += 1) {
        const load = startTroubledLoad(actor, [503]);
        await load.acknowledged(100);
        await cluster.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGQUIT');
        await load.refused(40);
        checkRefusal(await client.send('GET', '/image/get/absent'));
        await until(async () => (await client.send('GET', '/status')).status === 503);
        await cluster.start();
        await load.acknowledged(40);
        await load.stop();
        for (const one of [client, other])
          await until(async () => (await one.send('GET', '/status')).status === 200);

        const told = once(listener, 'message');
        await sendMail(other, email, `message-${round}`);
        assert.match(String((await told)[0]), `message-${round}`);
        await jobsResume(actor, cluster.url);
        await checkPromises(other, actor.ledger);
      }
      listener.close();
    } finally {
      for (const one of [client, other]) one.close();
      for (const server of servers) assert.is(await server.stop(), 0, 'the server lived on');
      await cluster.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

async function sendMail(client: Client, to: string, messageId: string): Promise<void> {
  const answer = await fetch(`${client.origin}/v1/email/inbound`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-email-token': 'worker-token' },
    body: JSON.stringify({ messageId, from: 'a@example.org', to, text: 'hello' }),
  });
  assert.is(answer.status, 200);
}

/**
 * Every job ends. A job whose worker could not record its result runs again when its lock expires: here, now.
 */
async function jobsResume({ client, samples }: Actor, url: string): Promise<void> {
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  try {
    await database.query('UPDATE jobs SET locked_until = NULL, run_at = 0 WHERE attempts > 0');
  } finally {
    await database.end();
  }
  const [photo] = samples.photos;
  if (photo !== undefined) await client.upload(photo, { name: 'photo.jpg' });
  await until(async () => {
    const { jobs } = (await client.ask('GET', '/admin/system/metrics')).message;
    return jobs.every(({ waiting }: { waiting: number }) => waiting === 0);
  });
}

test.run();
