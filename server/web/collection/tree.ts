import { withQuery } from '../address.js';
import type { CollectionFile, ListedImage } from '../records.js';

/** A folder of a collection: its files, and the folders in it, in the order of the collection. */
export interface Folder<T> {
  readonly name: string;
  readonly folders: readonly Folder<T>[];
  readonly files: readonly { readonly name: string; readonly file: T }[];
}

interface Growing<T> {
  readonly name: string;
  readonly folders: Map<string, Growing<T>>;
  readonly files: { readonly name: string; readonly file: T }[];
}

const grow = <T>(name: string): Growing<T> => ({ name, folders: new Map(), files: [] });

/** The folders that the paths of files name. */
export function treeOf<T extends { readonly path: string }>(files: readonly T[]): Folder<T> {
  const root = grow<T>('');
  for (const file of files) {
    const parts = file.path.split('/');
    const name = parts.pop() ?? file.path;
    let at = root;
    for (const part of parts) {
      const next = at.folders.get(part) ?? grow<T>(part);
      at.folders.set(part, next);
      at = next;
    }
    at.files.push({ name, file });
  }
  return settle(root);
}

const settle = <T>({ name, folders, files }: Growing<T>): Folder<T> => ({
  name,
  files,
  folders: [...folders.values()].map(settle),
});

/** The name of a file in its folder. */
export const nameIn = ({ path }: Pick<CollectionFile, 'path'>): string => path.split('/').at(-1) ?? path;

/** A file as those have it who opened the collection: its bytes come by way of that, also if it is private. */
export function asOpened(file: CollectionFile): ListedImage {
  const { fileUrl, urlSet } = file;
  const named = { ...file, originalName: nameIn(file) };
  if (fileUrl === null) return named;
  const posterUrl = urlSet.posterUrl === null ? null : withQuery(fileUrl, { poster: 'true' });
  return { ...named, urlSet: { ...urlSet, rawUrl: fileUrl, posterUrl } };
}
