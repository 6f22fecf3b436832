import { isUtf8 } from 'node:buffer';
import { lstat, opendir } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { guessDecoder } from '../../../../routers/base/text/charset.js';
import { isHidden } from '../../../../routers/base/text/left-behind.js';
import { addressBelow, PLAIN, type Product, refused, type SourceItem } from '../port.js';

/**
 * A folder with files, as any product leaves them behind. Each file comes with its name and date; its path below the
 * folder is its address.
 */
export const folder: Product = {
  needs: { database: false, files: true, hidden: 'optional' },
  paths: { files: '' },
  async open({ files, paths, hidden }) {
    const left = { hidden: 0 };
    return {
      async *accounts() {},
      items: () => filesIn(Buffer.from(files ?? ''), '', { path: paths.files ?? '', hidden, left }),
      leftOut: () =>
        left.hidden === 0 ? [] : [`${left.hidden} hidden files and folders (--hidden takes them)`],
      close: async () => {},
    };
  },
};

interface How {
  readonly path: string;
  readonly hidden: boolean;
  readonly left: { hidden: number };
}

/** Names from which the charset of a folder is guessed. */
const MAX_SAMPLES = 1_000;

/** The entries of a folder, whose names are bytes: each is one character. */
const entriesOf = (folder: Buffer) => opendir(folder, { encoding: 'latin1' });

/** What reads the names of a folder: nothing says in which charset they are. */
async function decoderFor(folder: Buffer): Promise<(name: Uint8Array) => string> {
  const samples: Buffer[] = [];
  for await (const { name } of await entriesOf(folder)) {
    const bytes = Buffer.from(name, 'latin1');
    if (!isUtf8(bytes) && samples.push(bytes) === MAX_SAMPLES) break;
  }
  return guessDecoder(samples, 'windows');
}

/** The files of a folder and of those in it. Throws if the folder itself cannot be read. */
async function* filesIn(here: Buffer, below: string, how: How): AsyncGenerator<SourceItem> {
  const decode = await decoderFor(here);
  for await (const entry of await entriesOf(here)) {
    const bytes = Buffer.from(entry.name, 'latin1');
    const name = decode(bytes);
    const path = `${below}${name}`;
    // Two names may read alike, if they are in different charsets.
    const key = isUtf8(bytes) ? path : `${path} (${bytes.toString('hex')})`;
    const file = Buffer.concat([here, Buffer.from('/'), bytes]);
    if (!how.hidden && isHidden(name)) how.left.hidden += 1;
    else if (entry.isDirectory())
      try {
        yield* filesIn(file, `${path}/`, how);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== 'opendir') throw error;
        yield refused('image', key, `cannot be read: ${(error as Error).message}`);
      }
    // Links are not followed: they may lead out of the folder.
    else if (!entry.isFile()) yield refused('image', key, 'is neither a file nor a folder');
    else yield await fileOf(file, { key, path, name }, how);
  }
}

async function fileOf(
  file: Buffer,
  { key, path, name }: { readonly key: string; readonly path: string; readonly name: string },
  how: How,
): Promise<SourceItem> {
  const facts = await lstat(file).catch((error: Error) => error);
  if (facts instanceof Error) return refused('image', key, `cannot be read: ${facts.message}`);
  return {
    ...PLAIN,
    kind: 'image',
    key,
    owner: null,
    id: basename(name, extname(name)),
    addresses: [addressBelow(how.path, path)],
    createdAt: Math.round(facts.mtimeMs),
    bytes: { path: file },
    name,
    description: null,
    views: 0,
    maxViews: null,
  };
}
