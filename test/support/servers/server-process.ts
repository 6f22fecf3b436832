import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../root.js';
import { PATIENCE_MS } from '../until.js';

/** What `npm start` runs; `npm test`, `npm run bench` and `npm run test:faults` have built it before. */
const START = [process.execPath, '--max-semi-space-size=8', join(ROOT, 'server', 'start.cjs')];

/** The owner of every started server, unless `env` says otherwise. */
export const OWNER = {
  OWNER_USERNAME: 'owner',
  OWNER_EMAIL: 'owner@example.org',
  OWNER_PASSWORD: 'correct horse battery',
  OWNER_API_KEY: 'k'.repeat(40),
} as const;

/** How a server is started. */
export interface ServerOptions {
  readonly dataDir: string;
  /** Added to the environment, over `OWNER_*`; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Program and arguments in front of the command, for instance to pin it to a processor. */
  readonly wrap?: readonly string[];
  /** The command that starts the server, instead of the build of this checkout. */
  readonly command?: readonly string[];
  /** The path that answers 200 once it serves; `/status` by default. */
  readonly serves?: string;
}

/** A server in a separate process. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly origin: string;
  /** Everything printed so far. */
  output(): string;
  /** Resolves with the exit code (null after a signal) once the process has ended. */
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and resolves when the process is gone. */
  kill(): Promise<void>;
}

/**
 * Ports below the ephemeral range, which a connection might take before the server does, and above 10,080,
 * the highest port that `fetch` and browsers block.
 */
const PORTS = { from: 10_100, to: 20_000 } as const;
/** The share of the ports for this process, as `slot/slots`: others look for theirs at the same time. */
const [slot = 0, slots = 1] = (process.env.HOLDALL_TEST_SLOT ?? '0/1').split('/').map(Number);
const share = Math.floor((PORTS.to - PORTS.from) / slots);
const given = new Set<number>();

/** A port that nobody listens on at the moment, and that this process has not been given before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + slot * share + randomInt(share);
    if (given.has(port)) continue;
    const probe = createServer();
    const free = once(probe.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!(await free)) continue;
    probe.close();
    await once(probe, 'close');
    given.add(port);
    return port;
  }
}

/** Starts the built server on a free port without waiting for it. */
export async function launchServer(options: ServerOptions): Promise<ServerProcess> {
  const { dataDir, env = {}, wrap = [], command = START } = options;
  const port = await freePort();
  const [program = '', ...args] = [...wrap, ...command];
  const child = spawn(program, args, {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT: 'off',
      TRASH_DAYS: '0',
      // No proxy asks these servers whether they are about to stop.
      STOP_DELAY: '0',
      MALLOC_ARENA_MAX: '2',
      ...OWNER,
      ...env,
    },
  });
  if (child.pid === undefined) throw new Error(`${program} cannot be started`);
  const lines: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const signal = async (name: NodeJS.Signals) => {
    child.kill(name);
    return within(ended, `the server did not end after ${name}`);
  };
  return {
    child,
    pid: child.pid,
    origin: `http://127.0.0.1:${port}`,
    output: () => Buffer.concat(lines).toString('utf8'),
    ended,
    stop: () => signal('SIGTERM'),
    kill: async () => {
      await signal('SIGKILL');
    },
  };
}

/** Starts the built server and resolves once it serves requests; throws with its output if it ends before. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const server = await launchServer(options);
  let over = false;
  const serving = async () => {
    while (!over && !(await answers(server.origin + (options.serves ?? '/status')))) await delay(20);
  };
  const early = server.ended.then((code) => {
    throw new Error(`the server ended with ${code}:\n${server.output()}`);
  });
  try {
    await within(Promise.race([serving(), early]), 'the server did not answer');
  } catch (error) {
    server.child.kill('SIGKILL');
    throw error;
  } finally {
    over = true;
    early.catch(() => undefined);
  }
  return server;
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address)).ok;
  } catch {
    return false;
  }
}

async function within<T>(work: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${complaint} within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
