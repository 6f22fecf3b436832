import { Readable } from 'node:stream';
import { type OpenEntry, zipOf } from '../../rest-adapter/zip-stream.js';
import { unlessGone } from '../../routers/errors.js';
import { BlobMissing } from '../../routers/ports/storage.js';
import type { PageRequest } from './request.js';

type Call = PageRequest['call'];

/** Items asked for at once. */
const pageSize = 100;
/** Ids that are remembered, so that nothing is told twice while fewer than these are deleted. */
const rememberedIds = 20 * pageSize;

interface Item {
  readonly uniqueId: string;
}

/** One page of a list, as the procedures of the library answer it. */
type ListPage<T> = (page: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>;

/**
 * Everything an account has, as a zip that is written while it is sent: files as they are stored, pastes as
 * text, and the records of all of it as JSON, one a line. Lists are read a page at a time, as fast as the zip is
 * taken; nothing is held in memory but names. Pastes that can be read once stay out of it, but for their record.
 */
export const exportAccount = (request: PageRequest): Promise<Readable> => zipOf(entriesOf(request));

/** What the zip holds, each opened when it is its turn. What was deleted since it was listed is left out. */
async function* entriesOf({ call, ctx }: PageRequest): AsyncGenerator<OpenEntry> {
  const mtime = new Date();
  const lists = listsOf(call);
  yield { name: 'account.json', mtime, content: Readable.from(accountOf(call)) };
  for (const [name, list] of Object.entries(lists))
    yield { name: `${name}.jsonl`, mtime, content: Readable.from(linesOf(list)) };
  for await (const { uniqueId, sha256, originalName, type, uploadedAt } of all(lists.files)) {
    const content = sha256 === null ? null : await blobOrNull(ctx.app.blobs.open(sha256));
    const name = `files/${uniqueId} ${originalName ?? `${uniqueId}.${type}`}`;
    if (content !== null) yield { name, mtime: new Date(uploadedAt), content };
  }
  for await (const { uniqueId, createdAt, burn } of all(lists.pastes)) {
    const paste = burn ? null : await unlessGone(call.paste.get({ uniqueId }));
    const name = `pastes/${uniqueId}.txt`;
    if (paste !== null) yield { name, mtime: new Date(createdAt), content: Readable.from([paste.content]) };
  }
}

const blobOrNull = (blob: Promise<Readable>): Promise<Readable | null> =>
  blob.catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });

const listsOf = ({ library, playlist }: Call) => ({
  files: (page: number) => library.images({ page, pageSize }),
  pastes: (page: number) => library.pastes({ page, pageSize }),
  links: (page: number) => library.urls({ page, pageSize }),
  playlists: async (page: number) => {
    const { playlists, total } = await playlist.mine({ page, pageSize });
    return { items: playlists, total };
  },
});

/** The account itself as JSON; its key is no part of what one takes along. */
async function* accountOf(call: Call): AsyncGenerator<string> {
  const [{ apiKey: _, ...account }, urlSettings, webhookSettings] = await Promise.all([
    call.user.me(),
    call.user.urlSettings(),
    call.user.webhookSettings(),
  ]);
  yield JSON.stringify({ ...account, urlSettings, webhookSettings }, null, 2);
}

/** Every item of a list that has the newest first, also when some are deleted meanwhile. */
async function* all<T extends Item>(list: ListPage<T>): AsyncGenerator<T> {
  const seen = new Set<string>();
  let known = 0;
  for (let page = 0; ; page += 1) {
    const { items, total } = await list(page);
    const fewer = known - total;
    known = total;
    if (fewer > 0) {
      // What follows the deleted ones has moved into pages that were read.
      page = Math.max(0, page - Math.ceil(fewer / pageSize)) - 1;
      continue;
    }
    yield* items.filter(({ uniqueId }) => !seen.has(uniqueId));
    for (const { uniqueId } of items) seen.add(uniqueId);
    for (const oldest of seen) {
      if (seen.size <= rememberedIds) break;
      seen.delete(oldest);
    }
    if (items.length < pageSize && page * pageSize + items.length >= total) return;
  }
}

async function* linesOf(list: ListPage<Item>): AsyncGenerator<string> {
  for await (const item of all(list)) yield `${JSON.stringify(item)}\n`;
}
