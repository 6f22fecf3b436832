import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { CommandError } from './command.js';

/** Refuses what is no file that can be read, in words that name it. */
export async function requireFile(path: string): Promise<void> {
  if ((await stat(path)).isDirectory()) throw new CommandError(`${path} is a folder; name the files in it`);
  await access(path, constants.R_OK);
}

/** The bytes of a file. */
export async function readFileOf(path: string): Promise<Buffer> {
  await requireFile(path);
  return readFile(path);
}
