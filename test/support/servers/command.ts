import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { ROOT } from '../root.js';
import { newDataDir } from '../stores/sqlite.js';
import { type ServerProcess, startServer } from './server-process.js';

/** The exit code and output of a command. */
export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A server, and the command for the same folder. */
export interface CommandWorld {
  folder: string;
  server: ServerProcess;
  /** Runs the command; `input` is its standard input, and messages about waiting for it are removed. */
  holdall(args: readonly string[], input?: string | Buffer, env?: Record<string, string>): Promise<Result>;
}

/** The `holdall` executable of a checkout. */
export const COMMAND = join(ROOT, 'server', 'operations', 'command', 'holdall.cjs');

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

/** What the command prints while standard input is slow, as it may be on a busy machine. */
const WAITING = /^holdall: waiting for standard input.*\n/m;

/** Starts a server in a folder, and provides the command for the same folder. Both have these variables, too. */
export async function startCommandWorld(
  context: CommandWorld,
  common: Readonly<Record<string, string>> = {},
): Promise<void> {
  context.folder = await newDataDir('cli', common.DATABASE_URL === undefined);
  context.server = await startServer({ dataDir: context.folder, env: common });
  context.holdall = async (args, input = '', env = {}) => {
    const child = spawnCommand(context, args, { ...common, ...env });
    child.stdin.on('error', () => undefined).end(input);
    const [[code], out, err] = await Promise.all([
      once(child, 'close') as Promise<[number | null]>,
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, out, err: err.replace(WAITING, '') };
  };
}

/** Stops what `startCommandWorld` has started. */
export const endCommandWorld = async ({ server, folder }: CommandWorld): Promise<void> => {
  await server.kill();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
};

/** The output of a command; fails the test if the command failed. */
export const done = async (result: Promise<Result>): Promise<string> => {
  const { code, out, err } = await result;
  assert.is(code, 0, err);
  return out;
};
