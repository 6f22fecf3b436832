import { isLeftBehind } from '../../../routers/base/text/left-behind.js';
import { hashOf, sha256OfText } from '../sha256.js';
import { knownFiles } from './requests.js';
import {
  type FolderFile,
  type FolderTask,
  MAX_DEPTH,
  MAX_FOLDER_FILES,
  MAX_PATH_LENGTH,
  TooManyFiles,
} from './task.js';

/** A file with the hash of its content. */
export interface HashedFile extends FolderFile {
  readonly sha256: string;
}

/** A file that cannot be sent, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: 'empty' | 'too large' | 'its path is too long' | 'cannot be read';
}

/** What will happen with the files of a folder, known before any of them is sent. */
export interface FolderPlan {
  readonly fresh: readonly HashedFile[];
  /** The caller has them already: they join the collection without being sent. */
  readonly known: readonly (HashedFile & { readonly uniqueId: string })[];
  /** Files with the content of an earlier one of the folder. */
  readonly copies: readonly (HashedFile & { readonly of: string })[];
  /** What cannot be sent, and why. */
  readonly leftOut: readonly LeftOut[];
}

/** Hashes the files and asks the server which of them the caller has. Throws for more files than a collection takes. */
export async function planFolder(
  task: FolderTask,
  { onBytes, signal }: { readonly onBytes?: (bytes: number) => void; readonly signal?: AbortSignal } = {},
): Promise<FolderPlan> {
  const meant = task.files.filter(({ path }) => !isLeftBehind(path));
  if (meant.length > MAX_FOLDER_FILES) throw new TooManyFiles();
  const leftOut: LeftOut[] = [];
  const hashed: HashedFile[] = [];
  const how = { onBytes: onBytes ?? (() => undefined), ...(signal === undefined ? {} : { signal }) };
  for (const file of meant) {
    signal?.throwIfAborted();
    const why = refusalOf(task, file);
    const sha256 = why === null ? await readHash(task, file, how) : null;
    if (sha256 !== null) hashed.push({ ...file, sha256 });
    else leftOut.push({ path: file.path, why: why ?? 'cannot be read' });
  }
  // The last hash may have been computed by what knows no signals.
  signal?.throwIfAborted();
  const hashes = [...new Set(hashed.map(({ sha256 }) => sha256))];
  return sorted(hashed, await knownFiles(task.target, hashes, signal), leftOut);
}

const refusalOf = ({ maxFileBytes }: FolderTask, { size, path }: FolderFile): LeftOut['why'] | null => {
  if (size === 0) return 'empty';
  if (path.length > MAX_PATH_LENGTH || path.split('/').length > MAX_DEPTH) return 'its path is too long';
  return maxFileBytes !== undefined && size > maxFileBytes ? 'too large' : null;
};

/** The hash of a file; null if it cannot be read. */
async function readHash(
  { hash = hashOf }: FolderTask,
  file: FolderFile,
  how: { readonly onBytes: (bytes: number) => void; readonly signal?: AbortSignal },
): Promise<string | null> {
  try {
    return await hash(await file.open(), how);
  } catch {
    how.signal?.throwIfAborted();
    return null;
  }
}

function sorted(
  files: readonly HashedFile[],
  ids: ReadonlyMap<string, string>,
  leftOut: FolderPlan['leftOut'],
): FolderPlan {
  const fresh: HashedFile[] = [];
  const known: (HashedFile & { uniqueId: string })[] = [];
  const copies: (HashedFile & { of: string })[] = [];
  const first = new Map<string, string>();
  for (const file of files) {
    const of = first.get(file.sha256);
    const uniqueId = ids.get(file.sha256);
    if (of !== undefined) copies.push({ ...file, of });
    else if (uniqueId === undefined) fresh.push(file);
    else known.push({ ...file, uniqueId });
    if (of === undefined) first.set(file.sha256, file.path);
  }
  return { fresh, known, copies, leftOut };
}

/** The same for the same files under the same paths, whatever of them is stored already. */
export function contentOf({ fresh, known, copies }: FolderPlan): string {
  const files = [...fresh, ...known, ...copies].map(({ path, sha256 }) => `${sha256} ${path}`).sort();
  return sha256OfText(JSON.stringify(files));
}
