import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { until } from '../support/until.js';
import type { RawAnswer } from './raw.js';

/** Texts that reveal the inside of the server. */
export const INSIDES =
  /\n\s+at [\w.<]|node:internal|node_modules|SQLITE_|constraint failed|violates |syntax error at|ECONNREFUSED|ENOENT/;

/**
 * Checks what every answer to hostile input must be: never a 5xx, and a refusal is the envelope with a
 * sentence.
 */
export function isClear({ status, headers, body }: RawAnswer, what: string): void {
  const text = body.toString();
  assert.ok(status >= 200 && status < 500, `${what}: ${status} ${text.slice(0, 200)}`);
  if (status < 400) return;
  assert.not.match(text, INSIDES, what);
  const type = headers.get('content-type')?.[0] ?? '';
  assert.match(type, /^application\/json/, what);
  const { error, message, count, timestamp } = JSON.parse(text);
  assert.equal([error, count, typeof timestamp], [true, 0, 'string'], what);
  assert.ok(typeof message === 'string' && message !== '', what);
}

/** Files below a folder of the data directory. */
export const filesIn = async (dataDir: string, folder: string): Promise<number> =>
  (await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
    (entry) => entry.isFile(),
  ).length;

/** Waits until no request has anything staged or unpacked. */
export const nothingStaged = (dataDir: string): Promise<void> =>
  until(async () => (await filesIn(dataDir, 'staging')) + (await filesIn(dataDir, 'tmp')) === 0);

/** The number of sockets, and of content files below a data directory, that a process has open. */
export async function openIn(pid: number, dataDir: string): Promise<{ sockets: number; files: number }> {
  const names = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(names.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const folders = ['blobs', 'staging', 'tmp'].map((folder) => join(dataDir, folder));
  return {
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
    files: targets.filter((target) => folders.some((folder) => target.startsWith(folder))).length,
  };
}
