import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { SECRET_FILE } from '../secrets/secrets.js';
import { fileOf } from './draft.js';

/** A problem with a backup or its folder; the message may be shown. */
export class BackupError extends Error {}

/** The names in a backup folder. With SQLite the folder could serve as DATA_DIR as it is. */
export const NAMES = {
  manifest: 'backup.json',
  sums: 'SHA256SUMS',
  sqlite: 'holdall.db',
  postgres: 'holdall.dump',
  secret: SECRET_FILE,
} as const;

/** What SQLite keeps beside a database, and applies to whatever has that name when it is opened. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

const manifest = z.object({
  /** The release that made it. An older one would refuse the database once it is restored. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  files: z.int(),
  bytes: z.int(),
  /** Whose it is, see `installationOf`; backups from before there was such a name have none. */
  installation: z.string().optional(),
});
/** What a backup says of itself; it is written last. */
export type Manifest = z.output<typeof manifest>;

/** Reads the manifest; throws `BackupError` where there is no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return manifest.parse(JSON.parse(await readFile(await fileOf(folder, NAMES.manifest), 'utf8')));
  } catch (cause) {
    throw new BackupError(`${folder} contains no complete backup`, { cause });
  }
}

/** One file of a backup, as `sha256sum -c` reads it. */
export interface Sum {
  readonly sha256: string;
  /** Below the backup folder. */
  readonly path: string;
}

/** The line of a file in SHA256SUMS. */
export const lineOf = ({ sha256, path }: Sum): string => `${sha256}  ${path}\n`;

/** Reads SHA256SUMS. */
export async function* readSums(folder: string): AsyncGenerator<Sum> {
  const input = createReadStream(await fileOf(folder, NAMES.sums));
  const lines = createInterface({ input, crlfDelay: Infinity });
  for await (const line of lines) {
    const [, sha256 = '', path = ''] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? [];
    if (path === '' || path.split('/').includes('..')) throw new BackupError(`${NAMES.sums} cannot be read`);
    yield { sha256, path };
  }
}
