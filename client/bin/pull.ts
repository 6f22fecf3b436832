import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { readableSize } from '../../routers/base/embed.js';
import type { HoldallClient } from '../src/index.js';
import { type Ask, asking } from './ask.js';
import { type Command, CommandError, given, onlyArgument, UsageError } from './command.js';
import { uploadDirectory } from './folder.js';
import { untilInterrupted } from './interrupt.js';
import { connect } from './settings.js';
import { inLine, printLink, progressBar } from './terminal.js';

/** `holdall pull`: a collection of another Holdall as one of one's own. */
export const pull: Command = {
  usage: 'ADDRESS [--password P] [--name TITLE] [--private]',
  summary:
    'copy a collection of another Holdall into one of yours, by its page or a share link: paths and descriptions stay, and what you have already is not sent again',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        password: { type: 'string' },
        name: { type: 'string' },
        private: { type: 'boolean' },
      },
    });
    const url = addressOf(onlyArgument(positionals, 'ADDRESS'));
    const ask = await asking(url, values.password);
    const from = ((await (await ask(pathOf(url))).json()) as { readonly message: Theirs }).message;
    const client = await connect();
    if (from.sealed && values.name !== undefined)
      throw new UsageError('the title of a sealed collection is sealed: leave out --name');
    const files = placed(from);
    const folder = await mkdtemp(join(tmpdir(), 'holdall-pull-'));
    const bar = progressBar(`fetching ${inLine(from.title)}`, readableSize);
    try {
      await untilInterrupted(async (signal) => {
        const isThere = await fetchInto(folder, ask, files, (n) => bar.update(n, from.totalSize), signal);
        bar.end();
        const wished = given({ private: values.private });
        const name = values.name ?? from.title;
        const sealed = files.filter((file) => file.sealed && isThere(file));
        const { collection, failed } = files.some((file) => !file.sealed && isThere(file))
          ? await uploadDirectory(client, join(folder, CLEAR), { ...wished, name, signal })
          : { collection: await emptyLike(client, { ...from, title: name }, wished), failed: [] };
        await addSealed(client, collection.uniqueId, join(folder, SEALED), sealed, { ...wished, signal });
        if (!from.sealed) await describe(client, collection.uniqueId, files, from.description);
        // The key behind the address opens the copy as well.
        printLink(`${collection.url}${url.hash}`);
        if (failed.length > 0) throw new CommandError(`${failed.length} files were not stored`);
      });
    } finally {
      bar.end();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Where files wait until they are sent: each kind has a folder of its own. */
const [CLEAR, SEALED] = ['clear', 'sealed'];

/** A collection as its server shows it. */
interface Theirs {
  readonly title: string;
  readonly description: string | null;
  readonly sealed: boolean;
  readonly sealedName: string | null;
  readonly totalSize: number;
  readonly items: readonly {
    readonly path: string;
    readonly description: string | null;
    readonly sealed: boolean;
    readonly sealedName: string | null;
    /** Null for a file that this caller may not open. */
    readonly fileUrl: string | null;
  }[];
}

function addressOf(address: string): URL {
  if (URL.canParse(address)) return new URL(address);
  throw new UsageError('ADDRESS must be like https://files.example.org/web/collection/ABCD1234');
}

/** What answers the collection of a page. */
function pathOf({ pathname }: URL): string {
  const [, page, id] = /^\/web\/(collection|share)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (page === undefined) throw new CommandError('this is no address of a collection or a share link');
  return `/v1/collection/${page === 'share' ? 'shared' : 'open'}/${id}`;
}

/** A path from elsewhere as one below a folder here. */
const below = (path: string): string =>
  path
    .split('/')
    .map((part) => part.replace(/[\\\p{Cc}]/gu, '_').replace(/^\.{0,2}$/, '_'))
    .join('/');

/** A file, and where it is here: each has a place of its own. */
type Placed = Theirs['items'][number] & { readonly place: string };

function placed({ items }: Theirs): Placed[] {
  const taken = new Set<string>();
  return items.map((item) => {
    const { dir, name, ext } = parse(below(item.path));
    let place = join(dir, `${name}${ext}`);
    for (let copy = 2; taken.has(place.toLowerCase()); copy += 1)
      place = join(dir, `${name} (${copy})${ext}`);
    taken.add(place.toLowerCase());
    return { ...item, place };
  });
}

/** A collection without files, sealed like another one or under its title. */
const emptyLike = (
  { api }: HoldallClient,
  { sealed, sealedName, title }: Theirs,
  wished: { readonly private?: boolean },
) => api.collection.create.mutate({ ...wished, ...(sealed ? { sealed, sealedName } : { title }) });

/** Stores sealed files as they are, with their sealed names, in a collection. */
async function addSealed(
  { api, upload }: HoldallClient,
  uniqueId: string,
  folder: string,
  files: readonly Placed[],
  wished: { readonly private?: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { sealed: isSealed } = await api.collection.get.query({ uniqueId });
  for (const { place, sealedName } of files) {
    const made = { sealed: true, name: 'sealed.age', ...(sealedName === null ? {} : { sealedName }) };
    const file = await upload(await openAsBlob(join(folder, place)), { ...wished, ...made });
    const path = isSealed ? {} : { path: place };
    await api.collection.addItems.mutate({ uniqueId, items: [{ uniqueId: file.uniqueId, ...path }] });
  }
}

/** Fetches the files of a collection, each whole, one after another; returns whether one is there. */
async function fetchInto(
  folder: string,
  ask: Ask,
  files: readonly Placed[],
  show: (bytes: number) => void,
  signal: AbortSignal,
): Promise<(file: Placed) => boolean> {
  let bytes = 0;
  for (const { path, place, fileUrl, sealed } of files) {
    if (fileUrl === null) {
      process.stderr.write(`holdall: left out ${inLine(path)}: it cannot be opened\n`);
      continue;
    }
    const file = join(folder, sealed ? SEALED : CLEAR, place);
    await mkdir(dirname(file), { recursive: true });
    // Only the server itself is asked, whatever address it says.
    const { pathname, search } = new URL(fileUrl);
    const { body } = await ask(`${pathname}${search}`, { signal });
    const content = Readable.fromWeb((body ?? new Blob().stream()) as Parameters<typeof Readable.fromWeb>[0]);
    content.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      show(bytes);
    });
    await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
  }
  return ({ fileUrl }) => fileUrl !== null;
}

/** Gives the files their order and what was said of them, and the collection, too; what they say here already stays. */
async function describe(
  { api }: HoldallClient,
  uniqueId: string,
  files: readonly Placed[],
  description: string | null,
): Promise<void> {
  const { items } = await api.collection.get.query({ uniqueId });
  const own = new Map(items.map((item) => [item.path, item]));
  const ordered = files.flatMap(({ place }) => own.get(place) ?? []);
  if (ordered.length === items.length)
    await api.collection.putItems.mutate({
      uniqueId,
      items: ordered.map(({ uniqueId: id, path }) => ({ uniqueId: id, path })),
    });
  for (const { place, description: desc } of files) {
    const here = own.get(place);
    if (desc !== null && here?.description === null)
      await api.image.change.mutate({ uniqueId: here.uniqueId, desc });
  }
  if (description !== null) await api.collection.change.mutate({ uniqueId, description });
}
