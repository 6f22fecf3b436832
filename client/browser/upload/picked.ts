import { type FolderFile, MAX_FOLDER_FILES } from '../../src/folder/task.js';

/** A folder that was chosen or dropped, with the files in it and in the folders below. */
export interface PickedFolder {
  readonly title: string;
  readonly files: readonly FolderFile[];
}

/** Deeper ones would not be taken, and a folder could contain itself. */
const MAX_DEPTH = 40;

const fileAt = (path: string, file: File): FolderFile => ({ path, size: file.size, open: async () => file });

/** The folders among chosen files, by the first part of their paths. */
export function foldersOf(files: readonly File[]): PickedFolder[] {
  const folders = new Map<string, FolderFile[]>();
  for (const file of files) {
    const [title = '', ...rest] = file.webkitRelativePath.split('/');
    const into = folders.get(title) ?? [];
    into.push(fileAt(rest.join('/'), file));
    folders.set(title, into);
  }
  return [...folders].map(([title, all]) => ({ title, files: inOrder(all) }));
}

/** Reads a dropped folder, up to one file more than a collection takes. */
export async function readFolder(entry: FileSystemDirectoryEntry): Promise<PickedFolder> {
  const files: FolderFile[] = [];
  await collect(entry, '', 0, files);
  return { title: entry.name, files: inOrder(files) };
}

const inOrder = (files: FolderFile[]): FolderFile[] => files.sort((a, b) => (a.path < b.path ? -1 : 1));

async function collect(
  folder: FileSystemDirectoryEntry,
  prefix: string,
  depth: number,
  into: FolderFile[],
): Promise<void> {
  const reader = folder.createReader();
  // A browser gives at most a hundred at a time, and nothing in the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (into.length > MAX_FOLDER_FILES) return;
      const path = `${prefix}${entry.name}`;
      if (isFolder(entry)) {
        if (depth < MAX_DEPTH) await collect(entry, `${path}/`, depth + 1, into);
      } else into.push(fileAt(path, await contentOf(entry as FileSystemFileEntry)));
    }
  }
}

/** Whether an entry is a folder. */
export const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const contentOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));
