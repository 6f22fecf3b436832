import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  launchServer,
  OWNER,
  type ServerOptions,
  startServer,
} from '../../support/servers/server-process.js';
import { until } from '../../support/until.js';
import { type Actor, shorten } from '../clients/actions.js';
import { Client } from '../clients/client.js';
import { checkPromises } from '../clients/guarantees.js';
import { Ledger } from '../clients/ledger.js';
import { runLoad } from '../clients/load.js';
import { Random } from '../clients/random.js';
import { makeSamples } from '../clients/samples.js';
import { checkBlobs, checkIntegrity } from './verify.js';

/** A server is killed after fewer answers than this: a run means the same on slow and fast machines. */
const MAX_LIFE = 60;
/** Rounds over one folder: everything promised there is checked after each of them. */
const SERIES = 20;

/** The settings of a series of rounds. */
export interface Rounds {
  readonly rounds: number;
  /** Concurrent servers over the same folder, each killed at a moment of its own. */
  readonly processes: number;
  readonly seed: number;
}

/**
 * Kills servers (SIGKILL) at random moments, during the start or under mixed load, and checks after each
 * round that all their promises hold. Throws at the first broken promise and then keeps the folder for
 * inspection. Returns how many operations were acknowledged.
 */
export async function runRounds(plan: Rounds, say: (line: string) => void): Promise<number> {
  say(`# seed ${plan.seed}, ${plan.processes} at once`);
  const random = new Random(plan.seed);
  let acknowledged = 0;
  for (let done = 0; done < plan.rounds; done += SERIES) {
    const rounds = Math.min(SERIES, plan.rounds - done);
    acknowledged += await runSeries({ ...plan, rounds }, random, say);
  }
  return acknowledged;
}

async function runSeries(plan: Rounds, random: Random, say: (line: string) => void): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  say(`# folder ${dataDir}`);
  const shared = Array.from({ length: 3 }, () => random.bytes(20_000));
  const life = { ledger: new Ledger(), random, samples: await makeSamples(), shared };
  for (let round = 1; round <= plan.rounds; round += 1) {
    const before = life.ledger.acknowledged;
    if (random.next() < 0.3) await dieYoung(dataDir, random.between(50, 600));
    const ages = Array.from({ length: plan.processes }, () => random.between(0, MAX_LIFE));
    await liveAndDie(dataDir, life, ages);
    await checkIntegrity(dataDir);
    if (round % 5 === 0) await checkBlobs(dataDir);
    const acknowledged = life.ledger.acknowledged - before;
    say(`# round ${round}: killed after ${ages.join(' and ')} answers, ${acknowledged} acknowledged`);
  }
  await checkLastLife(dataDir, life.ledger);
  await checkBlobs(dataDir);
  await rm(dataDir, { recursive: true, force: true });
  return life.ledger.acknowledged;
}

/** Kills a server that is still starting, or has just started. */
async function dieYoung(dataDir: string, age: number): Promise<void> {
  const server = await launchServer(settings(dataDir));
  await delay(age);
  await server.kill();
}

async function liveAndDie(
  dataDir: string,
  life: Omit<Actor, 'client'>,
  ages: readonly number[],
): Promise<void> {
  const servers = await Promise.all(ages.map(() => startServer(settings(dataDir))));
  const actors = servers.map(({ origin }) => ({ ...life, client: new Client(origin, OWNER.OWNER_API_KEY) }));
  try {
    const [first] = actors;
    if (first === undefined) return;
    // Checks the promises of earlier runs.
    await checkPromises(first.client, life.ledger);
    for (const maxUses of [null, 25]) {
      await shorten(first, maxUses);
      await shorten(first, maxUses, true);
    }
    const loads = actors.map(runLoad);
    const { ledger } = life;
    const born = ledger.acknowledged;
    const deaths = servers.map(async (server, index) => {
      await until(() => ledger.acknowledged >= born + (ages[index] ?? 0));
      // Not always right after an answer.
      await delay(life.random.between(0, 20));
      await server.kill();
    });
    await Promise.all([...loads, ...deaths]);
  } finally {
    for (const { client } of actors) client.close();
    await Promise.all(servers.map((server) => server.kill()));
  }
}

async function checkLastLife(dataDir: string, ledger: Ledger): Promise<void> {
  const server = await startServer(settings(dataDir));
  const client = new Client(server.origin, OWNER.OWNER_API_KEY);
  try {
    await checkPromises(client, ledger);
  } finally {
    client.close();
    await server.stop();
  }
}

const settings = (dataDir: string): ServerOptions => ({ dataDir, env: { LOG_LEVEL: 'warn' } });
