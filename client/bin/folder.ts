import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { readableSize } from '../../routers/embed.js';
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
  const files = await filesIn(path, options.signal);
  if (files.length === 0) throw new CommandError(`${path} has no files`);
  process.stderr.write(`holdall: ${title}: comparing ${files.length} files with those that you have\n`);
  const bar = progressBar(title, readableSize);
  try {
    return await client.uploadFolder(title, files, {
      ...wished,
      hash: hashInNode,
      memory: await fileMemory(path),
      onPlan: tellPlan,
      onProgress: ({ sentBytes, totalBytes }) => bar.update(sentBytes, totalBytes),
      onWait: (ms, why) =>
        void process.stderr.write(`holdall: ${inLine(why)}; continuing in ${Math.ceil(ms / 1000)} s\n`),
    });
  } finally {
    bar.end();
  }
}

/** The files below a folder in a stable order; links and special files are left out, so that nothing is read twice. */
async function filesIn(folder: string, signal: AbortSignal): Promise<FolderFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: FolderFile[] = [];
  for (const path of paths.sort()) {
    signal.throwIfAborted();
    files.push({
      path: relative(folder, path).split(sep).join('/'),
      size: (await stat(path)).size,
      open: () => openAsBlob(path),
    });
  }
  return files;
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
function tellPlan({ fresh, known, copies, leftOut }: FolderPlan): void {
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
  for (const line of notSent.slice(0, MAX_NAMED)) process.stderr.write(`holdall: left out ${line}\n`);
  const more = notSent.length - MAX_NAMED;
  if (more > 0) process.stderr.write(`holdall: and ${more} more are left out\n`);
}
