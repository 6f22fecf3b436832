import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { ROOT } from './root.js';
import { type ServerProcess, startServer } from './server-process.js';

/** How a command ended, and what it printed. */
export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A server, and the command beside it. */
export interface CommandWorld {
  folder: string;
  server: ServerProcess;
  /** Runs the command; `input` is its standard input, which it is not heard to wait for. */
  holdall(args: readonly string[], input?: string | Buffer, env?: Record<string, string>): Promise<Result>;
}

/** What `holdall` is in a checkout. */
export const COMMAND = join(ROOT, 'server', 'cli', 'holdall.cjs');

/** Starts the command; standard input is left open. */
export const spawnCommand = (
  { folder, server }: Pick<CommandWorld, 'folder' | 'server'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) =>
  spawn(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    stdio: 'pipe',
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      BASE_URL: server.origin,
      XDG_CONFIG_HOME: join(folder, 'config'),
      ...env,
    },
  });

/** What the command says when standard input is slow to come, as it may be on a busy machine. */
const WAITING = /^holdall: waiting for standard input.*\n/m;

/** Starts a server in a folder, and gives the command that looks into the same. */
export async function startCommandWorld(context: CommandWorld): Promise<void> {
  context.folder = await mkdtemp(join(tmpdir(), 'holdall-cli-'));
  context.server = await startServer({ dataDir: context.folder });
  context.holdall = async (args, input = '', env = {}) => {
    const child = spawnCommand(context, args, env);
    child.stdin.on('error', () => undefined).end(input);
    const [[code], out, err] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, out, err: err.replace(WAITING, '') };
  };
}

/** Ends what `startCommandWorld` has started. */
export const endCommandWorld = async ({ server, folder }: CommandWorld): Promise<void> => {
  await server.kill();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
};

/** What a command printed; fails the test when it failed. */
export const done = async (result: Promise<Result>): Promise<string> => {
  const { code, out, err } = await result;
  assert.is(code, 0, err);
  return out;
};
