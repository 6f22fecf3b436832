import { opendir, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { failedWith } from '../../../drivers/storage/disk/folders.js';
import { addressBelow, ImportError, type Product, type SourceItem } from '../port.js';

/**
 * A folder with files, as any product leaves them behind. Each file comes with its name and date; its path below the
 * folder is its address.
 */
export const folder: Product = {
  needs: { database: false, files: true },
  paths: { files: '' },
  async open({ files, paths }) {
    const root = files ?? '';
    return {
      async *accounts() {},
      items: () => filesIn(root, root, paths.files ?? ''),
      close: async () => {},
    };
  },
};

async function* filesIn(root: string, here: string, path: string): AsyncGenerator<SourceItem> {
  const entries = await opendir(here).catch((cause: Error) => {
    throw new ImportError(`${here} cannot be read: ${cause.message}`, { cause });
  });
  for await (const entry of entries) {
    const file = join(here, entry.name);
    const key = relative(root, file).split(sep).join('/');
    if (entry.isDirectory()) yield* filesIn(root, file, path);
    // Links are not followed: they may lead out of the folder.
    else if (!entry.isFile()) yield { kind: 'refused', key, reason: 'is neither a file nor a folder' };
    else {
      const facts = await stat(file).catch((error: unknown) => {
        if (failedWith(error, 'ENOENT')) return null;
        throw error;
      });
      if (facts === null) continue;
      yield {
        kind: 'image',
        key,
        owner: null,
        id: basename(entry.name, extname(entry.name)),
        addresses: [addressBelow(path, key)],
        pages: [],
        createdAt: Math.round(facts.mtimeMs),
        expiresAt: null,
        passwordHash: null,
        isPublic: true,
        tags: [],
        bytes: file,
        name: entry.name,
        description: null,
        views: 0,
        maxViews: null,
      };
    }
  }
}
