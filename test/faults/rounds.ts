import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launchServer, OWNER, type ServerOptions, startServer } from '../support/server-process.js';
import { Client } from './client.js';
import { Ledger } from './ledger.js';
import { runLoad } from './load.js';
import { Random } from './random.js';
import { checkBlobs, checkIntegrity, checkPromises } from './verify.js';

/** The longest that a server lives under load, in milliseconds. */
const LONGEST_LIFE = 1500;

/** How a series of rounds goes. */
export interface Rounds {
  readonly rounds: number;
  /** Servers at once over the same folder, each killed at a moment of its own. */
  readonly processes: number;
  readonly seed: number;
}

/**
 * Kills servers (SIGKILL) at random moments, starting or under mixed load, as often as asked, over one folder,
 * and checks after each round that all they had promised holds. Throws at the first broken promise and then
 * leaves the folder for a look. Answers how many operations were acknowledged.
 */
export async function runRounds(plan: Rounds, say: (line: string) => void): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  say(`# seed ${plan.seed}, ${plan.processes} at once, folder ${dataDir}`);
  const random = new Random(plan.seed);
  const ledger = new Ledger();
  for (let round = 1; round <= plan.rounds; round += 1) {
    const before = ledger.acknowledged;
    if (random.next() < 0.3) await dieYoung(dataDir, random.between(50, 600));
    const lifetimes = Array.from({ length: plan.processes }, () => random.between(20, LONGEST_LIFE));
    await liveAndDie(dataDir, ledger, random, lifetimes);
    await checkIntegrity(dataDir);
    if (round % 5 === 0 || round === plan.rounds) await checkBlobs(dataDir);
    say(
      `# round ${round}: killed after ${lifetimes.join(', ')} ms, ${ledger.acknowledged - before} acknowledged`,
    );
  }
  await checkLastLife(dataDir, ledger);
  await rm(dataDir, { recursive: true, force: true });
  return ledger.acknowledged;
}

/** Kills a server that is still starting, or has just started. */
async function dieYoung(dataDir: string, age: number): Promise<void> {
  const server = await launchServer({ dataDir });
  await delay(age);
  await server.kill();
}

async function liveAndDie(
  dataDir: string,
  ledger: Ledger,
  random: Random,
  lifetimes: readonly number[],
): Promise<void> {
  const servers = await Promise.all(lifetimes.map(() => startServer(settings(dataDir))));
  const clients = servers.map(({ origin }) => new Client(origin, OWNER.OWNER_API_KEY));
  try {
    const [first] = clients;
    if (first === undefined) return;
    // What the life before promised, asked of this one.
    await checkPromises(first, ledger);
    for (const maxUses of [null, 25]) await shorten(first, ledger, maxUses);
    const loads = clients.map((client) => runLoad(client, ledger, random));
    const deaths = servers.map((server, index) => delay(lifetimes[index]).then(() => server.kill()));
    await Promise.all([...loads, ...deaths]);
  } finally {
    for (const client of clients) client.close();
    await Promise.all(servers.map((server) => server.kill()));
  }
}

async function shorten(client: Client, ledger: Ledger, maxUses: number | null): Promise<void> {
  const body = JSON.stringify({ url: 'https://example.org/', maxUses });
  const id = await client.create('/url/create', 'application/json', body);
  ledger.links.set(id, { sent: 0, answered: 0, maxUses });
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

function settings(dataDir: string): ServerOptions {
  return { dataDir, env: { LOG_LEVEL: 'warn' } };
}
