import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { SECRET_FILE } from '../../drivers/secrets/secrets.js';
import { fileOf } from './draft.js';

/** A problem with a backup or its folder; the message may be shown. */
export class BackupError extends Error {}

/** The names in a backup folder. With SQLite, the folder could be used as DATA_DIR directly. */
export const NAMES = {
  manifest: 'backup.json',
  sums: 'SHA256SUMS',
  sqlite: 'holdall.db',
  postgres: 'holdall.dump',
  secret: SECRET_FILE,
} as const;

/** Files that SQLite keeps next to a database and applies to any database of that name when it opens it. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

const manifest = z.object({
  /** The release that made the backup. An older release would refuse the restored database. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  files: z.int(),
  bytes: z.int(),
  /** The installation it belongs to, see `installationOf`; missing in older backups. */
  installation: z.string().optional(),
});
/** The description of a backup. It is written last. */
export type Manifest = z.output<typeof manifest>;

/** Reads the manifest. Throws `BackupError` if there is no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return manifest.parse(JSON.parse(await readFile(await fileOf(folder, NAMES.manifest), 'utf8')));
  } catch (cause) {
    throw new BackupError(`${folder} contains no complete backup`, { cause });
  }
}

/** One file of a backup, as in the input of `sha256sum -c`. */
export interface Sum {
  readonly sha256: string;
  /** Relative to the backup folder. */
  readonly path: string;
}

/** The SHA256SUMS line of a file. */
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
