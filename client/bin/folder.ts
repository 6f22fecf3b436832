import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { readableSize } from '../../routers/base/embed.js';
import { guessDecoder } from '../../routers/base/text/charset.js';
import type { FolderFile, FolderOptions, FolderPlan, FolderResult, HoldallClient } from '../src/index.js';
import { CommandError } from './command.js';
import { fileMemory } from './file-memory.js';
import { inLine, progressBar } from './terminal.js';

/** How many files are named of those that are left out. */
const MAX_NAMED = 20;

/** Uploads the files of a folder, and of the folders in it, into one collection. */
export async function uploadDirectory(
  client: HoldallClient,
  path: string,
  options: FolderOptions & { readonly name: string | undefined; readonly signal: AbortSignal },
): Promise<FolderResult> {
  const { name, ...wished } = options;
  const title = name ?? basename(resolve(path));
  const { files, unreadable } = await filesIn(path, options.signal);
  tellLeftOut(unreadable.map((one) => `${one}: cannot be read`));
  if (files.length === 0) throw new CommandError(`${path} has no files`);
  process.stderr.write(`holdall: ${title}: comparing ${files.length} files with those that you have\n`);
  const bar = progressBar(title, readableSize);
  try {
    return await client.uploadFolder(title, files, {
      ...wished,
      hash: hashInNode,
      memory: await fileMemory(path),
      onPlan: printPlan,
      onProgress: ({ sentBytes, totalBytes }) => bar.update(sentBytes, totalBytes),
      onWait: (ms, why) =>
        void process.stderr.write(`holdall: ${inLine(why)}; continuing in ${Math.ceil(ms / 1000)} s\n`),
    });
  } finally {
    bar.end();
  }
}

/** An entry of a folder: its path below it as bytes, because nothing says in which charset names are. */
interface Entry {
  readonly path: Buffer;
  readonly isFile: boolean;
}

/** The entries below a folder; links and special files are left out, so that nothing is read twice. */
async function* entriesIn(folder: Buffer, below: Buffer, signal: AbortSignal): AsyncGenerator<Entry> {
  // Each byte of a name is one character.
  for await (const entry of await opendir(folder, { encoding: 'latin1' })) {
    signal.throwIfAborted();
    const name = Buffer.from(entry.name, 'latin1');
    const path = below.length === 0 ? name : Buffer.concat([below, SLASH, name]);
    if (entry.isFile()) yield { path, isFile: true };
    else if (entry.isDirectory())
      try {
        yield* entriesIn(Buffer.concat([folder, SLASH, name]), path, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall !== 'opendir') throw error;
        yield { path, isFile: false };
      }
  }
}

const SLASH = Buffer.from('/');

/** The files below a folder in a stable order, and the paths of what cannot be read. */
async function filesIn(
  folder: string,
  signal: AbortSignal,
): Promise<{ files: FolderFile[]; unreadable: string[] }> {
  const root = Buffer.from(folder);
  const entries: Entry[] = [];
  for await (const entry of entriesIn(root, Buffer.alloc(0), signal)) entries.push(entry);
  const decode = guessDecoder(
    entries.map(({ path }) => path),
    'windows',
  );
  const files: FolderFile[] = [];
  const unreadable: string[] = [];
  for (const { path, isFile } of entries.sort((one, other) => Buffer.compare(one.path, other.path))) {
    const file = Buffer.concat([root, SLASH, path]);
    const facts = isFile ? await stat(file).catch(() => null) : null;
    if (facts === null) unreadable.push(decode(path));
    else files.push({ path: decode(path), size: facts.size, open: () => openAsBlob(file) });
  }
  return { files, unreadable };
}

async function hashInNode(file: Blob, { signal }: { readonly signal?: AbortSignal }): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file.stream()) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/** Says before anything is sent what will not be. */
function printPlan({ fresh, known, copies, leftOut }: FolderPlan): void {
  const bytes = fresh.reduce((sum, { size }) => sum + size, 0);
  process.stderr.write(`holdall: ${fresh.length} files to send (${readableSize(bytes)})\n`);
  if (known.length > 0)
    process.stderr.write(
      `holdall: ${known.length} that you have already join the collection without being sent\n`,
    );
  const notSent = [
    ...copies.map(({ path, of }) => `${path}: the same as ${of}`),
    ...leftOut.map(({ path, why }) => `${path}: ${why}`),
  ];
  tellLeftOut(notSent);
}

function tellLeftOut(notSent: readonly string[]): void {
  for (const line of notSent.slice(0, MAX_NAMED)) process.stderr.write(`holdall: left out ${line}\n`);
  const more = notSent.length - MAX_NAMED;
  if (more > 0) process.stderr.write(`holdall: and ${more} more are left out\n`);
}
