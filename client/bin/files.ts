import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { CommandError } from './command.js';

/** Throws an error that names the path unless it is a readable file. */
export async function requireFile(path: string): Promise<void> {
  if ((await stat(path)).isDirectory())
    throw new CommandError(`${path} is a folder; list the files in it instead`);
  await access(path, constants.R_OK);
}

/** The bytes of a file. */
export async function readFileOf(path: string): Promise<Buffer> {
  await requireFile(path);
  return readFile(path);
}
