import { createReadStream, createWriteStream } from 'node:fs';
import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { open, openName, SealError, type SealKey, unarmored } from '../src/sealed.js';
import { type Ask, asking } from './ask.js';
import { type Command, CommandError, onlyArgument, UsageError } from './command.js';
import { readPassphrase } from './seals.js';
import { inLine } from './terminal.js';

/** `holdall get`: the content of an item, opened if it is sealed. */
export const get: Command = {
  usage: 'ADDRESS [--password P] [-o|--output FILE|FOLDER]',
  summary:
    'download what is at an address, and open it with the key behind its #; writes to standard output when piped, else to a file under its name; several files of a paste become a folder, or follow one another under their names when piped, and ?file=NAME in ADDRESS gets one',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { password: { type: 'string' }, output: { type: 'string', short: 'o' } },
    });
    const address = onlyArgument(positionals, 'ADDRESS');
    if (!URL.canParse(address))
      throw new UsageError('ADDRESS must be like https://files.example.org/r/ABCD1234');
    const url = new URL(address);
    const ask = await asking(url, values.password);
    const item = await found(ask, url);
    const { name, content, files } = await opened(ask, item, url);
    const target = values.output ?? (process.stdout.isTTY ? fileName(name ?? item.id) : null);
    if (files.length > 1 && target !== null) await writeFolder(target, files);
    else await written(content, target);
  },
};

/** How the record of an item of each kind is read, and its bytes; reading a paste that can be read once reads it. */
const READERS = {
  image: {
    record: (ask: Ask, id: string) => ask(`/v1/image/info/${id}`),
    bytes: async (ask: Ask, id: string) =>
      (await ask(`/v1/image/get/${id}?raw=true&download=true`)).body ?? streamOf(new Uint8Array()),
  },
  paste: {
    // A file that it does not have is refused before one that can be read once is read.
    record: (ask: Ask, id: string, file: string | null) =>
      ask(`/v1/paste/get/${id}${file === null ? '' : `?file=${encodeURIComponent(file)}`}`, {
        method: 'POST',
      }),
    bytes: async (_: Ask, __: string, { sealed, content = '' }: ItemRecord) =>
      streamOf(sealed ? unarmored(content) : Buffer.from(content)),
  },
};
type Kind = keyof typeof READERS;

interface Found {
  readonly kind: Kind;
  readonly id: string;
}

const ITEM = /\/(?:web\/(image|paste)-render|v1\/(image|paste)\/get)\/([^/?#]+)/;

/** The item at an address, which may be its page, its bytes or its short link. */
async function found(ask: Ask, { pathname }: URL): Promise<Found> {
  const known = itemIn(pathname);
  if (known !== null) return known;
  const { headers } = await ask(pathname, { redirect: 'manual' });
  const item = itemIn(new URL(headers.get('location') ?? '/', 'http://localhost').pathname);
  return item ?? Promise.reject(new CommandError('this is no address of a file or a paste'));
}

function itemIn(path: string): Found | null {
  const [, page, bytes, id = ''] = ITEM.exec(path) ?? [];
  const kind = page ?? bytes;
  return kind === undefined
    ? null
    : { kind: kind as Kind, id: decodeURIComponent(id).replace(/\.\w{1,8}$/, '') };
}

/** The content of an item with its name, decrypted if it is sealed. */
async function opened(ask: Ask, { kind, id }: Found, { hash, searchParams }: URL) {
  const secret = decodeURIComponent(hash.slice(1));
  const named = encodeURIComponent(id);
  const file = searchParams.get('file');
  const answer = await READERS[kind].record(ask, named, file);
  const record = ((await answer.json()) as { readonly message: ItemRecord }).message;
  const bytes = () => READERS[kind].bytes(ask, named, record);
  if (!record.sealed) {
    if (secret !== '') throw new CommandError('this is not sealed: leave out what is behind the #');
    const { originalName, title } = record;
    if (file !== null && record.files) return { name: file, content: await bytes(), files: [] };
    const files = record.files ?? [];
    const content = files.length > 1 ? streamOf(Buffer.from(together(files))) : await bytes();
    return { name: originalName ?? title ?? null, content, files };
  }
  const key: SealKey = secret === '' ? { passphrase: await readPassphrase() } : { identity: secret };
  try {
    const content = await open((await bytes()) as ReadableStream<Uint8Array>, key);
    const inside = await openName(record.sealedName ?? null, key);
    return { name: inside?.name ?? inside?.title ?? null, content, files: [] };
  } catch (error) {
    throw inWords(error);
  }
}

interface ItemRecord {
  readonly sealed?: boolean;
  readonly sealedName?: string | null;
  readonly originalName?: string | null;
  readonly title?: string;
  readonly content?: string;
  /** The texts of a paste. */
  readonly files?: readonly TextFile[] | null;
}

interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Several texts in one, each under its name, as `head` shows them. */
const together = (files: readonly TextFile[]): string =>
  files.map(({ name, text }) => `==> ${inLine(name)} <==\n${text.replace(/\n?$/, '\n')}`).join('\n');

const streamOf = (bytes: Uint8Array): ReadableStream => new Blob([bytes as BlobPart]).stream();

const inWords = (error: unknown): unknown =>
  error instanceof SealError ? new CommandError(error.message, { cause: error }) : error;

/** A name from elsewhere as that of a file in this folder. */
const fileName = (name: string): string => plain(name).replace(/^\.+/, '').slice(0, 200) || 'file';

const plain = (name: string): string => name.replace(/[/\\\p{Cc}]/gu, '_').replace(/^\.{1,2}$/, 'file');

/** Writes texts as files of a new folder, all or none. */
async function writeFolder(folder: string, files: readonly TextFile[]): Promise<void> {
  await mkdir(folder).catch((cause: unknown) => refuseThere(folder, cause));
  try {
    for (const { name, text } of files) await writeFile(join(folder, plain(name)), text, { flag: 'wx' });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  process.stderr.write(`saved as ${folder}${sep}\n`);
}

function refuseThere(file: string, cause: unknown): never {
  const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
  throw isThere ? new CommandError(`${file} is there already: use --output`, { cause }) : cause;
}

/** Writes all of a content or nothing: to a new file, or to standard output. */
async function written(content: ReadableStream, file: string | null): Promise<void> {
  const folder = await mkdtemp(file === null ? join(tmpdir(), 'holdall-') : '.holdall-');
  try {
    const draft = join(folder, 'content');
    const source = Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(source, createWriteStream(draft, { mode: 0o600 }));
    if (file === null) return await pipeline(createReadStream(draft), process.stdout, { end: false });
    await link(draft, file).catch((cause: unknown) => refuseThere(file, cause));
    process.stderr.write(`saved as ${file}\n`);
  } catch (error) {
    throw inWords(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
