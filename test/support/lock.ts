import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One package of a lock file. */
export interface LockedPackage {
  /** Only if it differs from the folder name. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The packages in the lock file of a folder, by their paths; the path of the project itself is empty. */
export async function readLock(folder: string): Promise<Readonly<Record<string, LockedPackage>>> {
  return JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')).packages;
}
