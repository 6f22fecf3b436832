import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readableSize } from '../../routers/base/embed.js';
import {
  type FolderResult,
  type HoldallClient,
  HoldallError,
  type ImageRecord,
  type UploadOptions,
} from '../src/index.js';
import type { SealedFor } from '../src/sealed.js';
import {
  type Command,
  CommandError,
  given,
  inWordsOf,
  listOption,
  numberOption,
  UsageError,
} from './command.js';
import { endOf } from './end.js';
import { explainClientError } from './explain.js';
import { fileMemory } from './file-memory.js';
import { requireFile } from './files.js';
import { uploadDirectory } from './folder.js';
import { untilInterrupted } from './interrupt.js';
import { patiently } from './patience.js';
import { SEAL_OPTIONS, sealedFor, sealSource } from './seals.js';
import { connect } from './settings.js';
import { inLine, printJson, printLink, progressBar, standardInput } from './terminal.js';

/** `holdall upload`: files, or standard input as `-`. */
export const upload: Command = {
  usage:
    'FILE|FOLDER|URL... [--private] [--password P] [--id ID] [--desc TEXT] [--expires DATE] [--max-views N] [--tags A,B] [--name N] [--all] [--seal [--passphrase | --to RECIPIENT...]] [--json]',
  summary:
    'upload files and print their links; a folder becomes a collection, in which files that you have already are not sent again unless --all; - reads standard input; the server fetches what is at a web address (https://…)',
  words: {
    password: '--password',
    uniqueId: '--id',
    desc: '--desc',
    expiresAt: '--expires',
    maxViews: '--max-views',
    tags: '--tags',
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
        tags: { type: 'string' },
        name: { type: 'string' },
        all: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        ...SEAL_OPTIONS,
      },
    });
    if (positionals.length === 0) throw new UsageError('FILE is missing');
    if (positionals.length > 1 && values.id !== undefined)
      throw new UsageError('--id can only be used with a single file');
    const wished = given({
      private: values.private,
      password: values.password,
      uniqueId: values.id,
      desc: values.desc,
      expiresAt: endOf(values.expires),
      maxViews: numberOption('max-views', values['max-views']),
      tags: listOption(values.tags),
    });
    const whom = await sealedFor(values);
    const client = await connect();
    const records: (ImageRecord | FolderResult['collection'])[] = [];
    const send = async (path: string, signal: AbortSignal): Promise<Made> => {
      if (whom !== null)
        return madeSealed(client, path, whom, { ...wished, ...given({ name: values.name }), signal });
      if (isWebAddress(path)) return madeFile(await fetched(client, path, wished, signal));
      if (path !== '-' && (await isFolder(path))) {
        const { name, all: sendsAll } = values;
        return madeFolder(await uploadDirectory(client, path, { ...wished, name, sendsAll, signal }));
      }
      const sendAs = (name: string) => (file: string) =>
        uploadFile(client, file, { ...wished, name, signal });
      return madeFile(
        path === '-'
          ? await spooled(standardInput, { signal }, sendAs(values.name ?? 'stdin'))
          : await sendAs(values.name ?? basename(path))(path),
      );
    };
    try {
      await untilInterrupted((signal) =>
        eachFile(positionals, async (path) => {
          const { record, link, failed } = await send(path, signal);
          records.push(record);
          // Printed right away, because the file is stored even if a later one fails.
          if (!values.json) printLink(link, positionals.length === 1);
          if (failed.length > 0) throw new CommandError(notStored(path, failed));
        }),
      );
    } finally {
      if (values.json) printJson(records);
    }
  },
};

/** What an argument became. */
interface Made {
  readonly record: ImageRecord | FolderResult['collection'];
  readonly link: string;
  readonly failed: FolderResult['failed'];
}

const madeFile = (record: ImageRecord): Made => ({ record, link: record.urlSet.shortUrl, failed: [] });
const madeFolder = ({ collection, failed }: FolderResult): Made => ({
  record: collection,
  link: collection.url,
  failed,
});

/** Seals a file while it is read; nothing of it is written in the clear. */
async function madeSealed(
  client: HoldallClient,
  path: string,
  whom: SealedFor,
  { name, desc, ...options }: UploadOptions & { readonly signal: AbortSignal },
): Promise<Made> {
  if (isWebAddress(path) || (path !== '-' && (await isFolder(path))))
    throw new CommandError(`${path}: only files can be sealed`);
  if (path !== '-') await requireFile(path);
  const size = path === '-' ? undefined : (await stat(path)).size;
  const said = given({ name: name ?? (path === '-' ? undefined : basename(path)), description: desc, size });
  const source = path === '-' ? standardInput() : createReadStream(path);
  const { content, fields, fragment } = await sealSource(source, said, whom);
  const record = await spooled(
    () => content,
    options,
    (file) => uploadFile(client, file, { ...options, ...fields, name: 'sealed.age' }),
  );
  return { record, link: `${record.urlSet.shortUrl}${fragment}`, failed: [] };
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path)).isDirectory();

/** The files of a folder that were refused, one line each. */
const notStored = (path: string, failed: FolderResult['failed']): string =>
  [
    ...failed.map(({ file, why }) => `${join(path, file.path)}: ${inLine(why)}`),
    `${failed.length} files of ${path} were not uploaded; the same command tries them again`,
  ].join('\n');

const isWebAddress = (path: string): boolean => /^https?:\/\//i.test(path) && URL.canParse(path);

/** What is wished of a file that the server fetches. */
type Wished = Omit<Parameters<HoldallClient['api']['upload']['fromUrl']['mutate']>[0], 'url'>;

/** Has the server fetch and store a file; an interrupt ends that there, too. */
async function fetched(
  { api }: HoldallClient,
  url: string,
  wished: Wished,
  signal: AbortSignal,
): Promise<ImageRecord> {
  process.stderr.write(`the server fetches ${url}\n`);
  return api.upload.fromUrl.mutate({ ...wished, url }, { signal });
}

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
        memory: await fileMemory(path),
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
