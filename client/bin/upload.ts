import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readableSize } from '../../routers/embed.js';
import { type HoldallClient, HoldallError, type ImageRecord, type UploadOptions } from '../src/index.js';
import { type Command, CommandError, given, inWordsOf, numberOption, UsageError } from './command.js';
import { explainClientError } from './explain.js';
import { requireFile } from './files.js';
import { untilInterrupted } from './interrupt.js';
import { patiently } from './patience.js';
import { connect } from './settings.js';
import { printJson, printLink, progressBar, standardInput } from './terminal.js';

/** `holdall upload`: files, or standard input as `-`. */
export const upload: Command = {
  usage:
    'FILE... [--private] [--password P] [--id ID] [--desc TEXT] [--expires DATE] [--max-views N] [--name N] [--json]',
  summary: 'upload files and print their links; - reads standard input',
  words: {
    password: '--password',
    uniqueId: '--id',
    desc: '--desc',
    expiresAt: '--expires',
    maxViews: '--max-views',
  },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        private: { type: 'boolean' },
        password: { type: 'string' },
        id: { type: 'string' },
        desc: { type: 'string' },
        expires: { type: 'string' },
        'max-views': { type: 'string' },
        name: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    if (positionals.length === 0) throw new UsageError('FILE is missing');
    if (positionals.length > 1 && values.id !== undefined)
      throw new UsageError('--id can only be used with a single file');
    const options: UploadOptions = given({
      private: values.private,
      password: values.password,
      uniqueId: values.id,
      desc: values.desc,
      expiresAt: values.expires,
      maxViews: numberOption('max-views', values['max-views']),
    });
    const client = await connect();
    const records: ImageRecord[] = [];
    const send = (path: string, signal: AbortSignal): Promise<ImageRecord> => {
      const sendAs = (name: string) => (file: string) =>
        uploadFile(client, file, { ...options, name, signal });
      return path === '-'
        ? spooled(standardInput, { signal }, sendAs(values.name ?? 'stdin'))
        : sendAs(values.name ?? basename(path))(path);
    };
    try {
      await untilInterrupted((signal) =>
        eachFile(positionals, async (path) => {
          const record = await send(path, signal);
          records.push(record);
          // Printed right away, because the file is stored even if a later one fails.
          if (!values.json) printLink(record.urlSet.shortUrl, positionals.length === 1);
        }),
      );
    } finally {
      if (values.json) printJson(records);
    }
  },
};

/** Does the work for each file. Names each file that fails and goes on with the others. */
async function eachFile(paths: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  let refused = 0;
  for (const path of paths) {
    try {
      await work(path);
    } catch (error) {
      const why = refusalOf(path, error);
      if (why === null) throw error;
      if (paths.length === 1) throw new CommandError(why, { cause: error });
      process.stderr.write(`holdall: ${why}\n`);
      refused += 1;
    }
  }
  if (refused > 0) throw new CommandError(`${refused} of ${paths.length} files were not uploaded`);
}

/** Why this file was refused, with its name; null if every other file would fail as well. */
function refusalOf(path: string, error: unknown): string | null {
  if (error instanceof HoldallError && [0, 401].includes(error.status)) return null;
  const why = error instanceof CommandError ? error.message : inWordsOf(upload, explainClientError(error));
  return why === null || namesFile(error, path) ? why : `${path}: ${why}`;
}

/** Whether the message names the file already, as our own messages and those of the system do. */
const namesFile = (error: unknown, path: string): boolean =>
  error instanceof CommandError || (error as NodeJS.ErrnoException).path === path;

async function uploadFile(
  client: HoldallClient,
  path: string,
  options: UploadOptions & { readonly name: string; readonly signal: AbortSignal },
): Promise<ImageRecord> {
  await requireFile(path);
  // The size of a pipe is not known in advance.
  if (!(await stat(path)).isFile())
    return spooled(
      () => createReadStream(path),
      options,
      (file) => uploadFile(client, file, options),
    );
  return patiently(async () => {
    const bar = progressBar(options.name, readableSize);
    try {
      return await client.upload(await openAsBlob(path), {
        ...options,
        onProgress: ({ sent, total }) => bar.update(sent, total),
      });
    } finally {
      bar.end();
    }
  }, options.signal);
}

/** Writes a pipe of any length to a temporary file first. */
async function spooled<T>(
  open: () => Readable,
  { signal }: { readonly signal: AbortSignal },
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-'));
  try {
    const path = join(folder, 'input');
    await pipeline(open(), createWriteStream(path, { mode: 0o600 }), { signal });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
