/**
 * A server that is killed (SIGKILL) again and again while items, collections and packs go into the trash, come back and
 * are deleted for good. Callers see after the restart: everything is in the trash or out of it, as acknowledged, a pack with
 * all its files. Counts of tags and of storage equal a recount, and no blob is missing or left over.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { purgeTrash } from '../../routers/app/trash/index.js';
import { readConfig } from '../../server/runtime/config/config.js';
import { createLogs } from '../../server/runtime/logger.js';
import { openServices } from '../../server/runtime/services.js';
import { OWNER } from '../support/servers/server-process.js';
import { until } from '../support/until.js';
import { Random } from './clients/random.js';
import { type Thing, TrashClient } from './clients/trash-load.js';
import { openPlace } from './servers/place.js';
import { TRASH_RULES } from './servers/trash-rules.js';
import { checkBlobs, checkIntegrity } from './servers/verify.js';

const test = suite('killed around the trash');

const ROUNDS = Number(process.env.HOLDALL_FAULT_ROUNDS ?? 5);
const CALLERS = 6;
/** A server is killed after fewer changes than this. */
const MAX_LIFE = 60;
/** Things that are not gone, at the start of each round. */
const ALIVE = 20;
const env = { TRASH_DAYS: '7', LOG_LEVEL: 'warn' };

const isThere = ({ states }: Thing): boolean => states[0] !== 'gone';

/** Moves things until the server dies. */
async function live(
  client: TrashClient,
  things: readonly Thing[],
  life: { changes: number; isDying: boolean },
): Promise<void> {
  while (!life.isDying) {
    const thing = client.random.pick(things.filter((each) => isThere(each) && !each.busy));
    thing.busy = true;
    try {
      await client.change(thing);
      life.changes += 1;
    } catch (error) {
      // The server died meanwhile: nothing was promised.
      if (!life.isDying || error instanceof assert.Assertion) throw error;
      return;
    } finally {
      thing.busy = false;
    }
  }
}

/** With no server running: deletes for good what was given up. */
async function purge(dataDir: string): Promise<void> {
  const services = await openServices(readConfig({ DATA_DIR: dataDir, ...env }), createLogs('silent').log);
  try {
    await purgeTrash(services, new AbortController().signal);
  } finally {
    await services.db.close();
  }
}

test('everything is wholly in the trash or wholly out of it, and counted right', async () => {
  const seed = Date.now() % 2 ** 32;
  const random = new Random(seed);
  const place = await openPlace();
  console.log(`# seed ${seed}, folder ${place.dataDir}`);
  const things: Thing[] = [];
  const begin = async () => {
    const server = await place.start({ env });
    const client = new TrashClient(server.origin, OWNER.OWNER_API_KEY, random);
    await client.check(things).catch(async (error) => {
      await server.kill();
      throw error;
    });
    return { server, client };
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { server, client } = await begin();
    const life = { changes: 0, isDying: false };
    try {
      while (things.filter(isThere).length < ALIVE) things.push(...(await client.make()));
      const age = random.between(1, MAX_LIFE);
      const death = async () => {
        await until(() => life.isDying || life.changes >= age);
        life.isDying = true;
        // Not always right after an answer.
        await delay(random.between(0, 20));
        await server.kill();
      };
      await Promise.all([death(), ...Array.from({ length: CALLERS }, () => live(client, things, life))]);
    } finally {
      life.isDying = true;
      await server.kill();
    }
    await checkIntegrity(place.dataDir);
    console.log(`# round ${round}: killed after ${life.changes} changes`);
  }
  const { server } = await begin();
  await server.stop();
  await purge(place.dataDir);
  await checkBlobs(place.dataDir, env, TRASH_RULES);
  await place.remove();
});

test.run();
