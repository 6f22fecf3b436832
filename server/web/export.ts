import { Readable } from 'node:stream';
import { openZip } from '../../rest-adapter/zip-stream.js';
import { DomainError } from '../../routers/errors.js';
import { BlobMissing } from '../../routers/ports.js';
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
 * text, and the records of all of it as JSON, one a line. Nothing is held in memory but names. Pastes that
 * can be read once stay out of it, but for their record.
 */
export async function exportAccount({ call, ctx }: PageRequest): Promise<Readable> {
  const zip = await openZip();
  const add = (name: string, at: string, open: () => Promise<Readable>) =>
    zip.add({ name, mtime: new Date(at) }, open);
  const now = new Date().toISOString();
  const lists = listsOf(call);
  add('account.json', now, async () => Readable.from([JSON.stringify(await accountOf(call), null, 2)]));
  for (const [name, list] of Object.entries(lists))
    add(`${name}.jsonl`, now, async () => Readable.from(linesOf(list)));
  try {
    for await (const image of all(lists.files)) {
      const { sha256 } = image;
      if (sha256 === null) continue;
      const name = image.originalName ?? `${image.uniqueId}.${image.type}`;
      add(`files/${image.uniqueId} ${name}`, image.uploadedAt, () =>
        emptyWhenGone(ctx.app.blobs.open(sha256)),
      );
    }
    for await (const { uniqueId, createdAt, burn } of all(lists.pastes)) {
      if (burn) continue;
      add(`pastes/${uniqueId}.txt`, createdAt, () =>
        emptyWhenGone(call.paste.get({ uniqueId }).then(({ content }) => Readable.from([content]))),
      );
    }
  } catch (error) {
    zip.output.destroy();
    throw error;
  }
  zip.end();
  if (zip.output.errored) throw zip.output.errored;
  return zip.output;
}

/** What was deleted since it was listed leaves its name; everything else is still to be had. */
async function emptyWhenGone(content: Promise<Readable>): Promise<Readable> {
  try {
    return await content;
  } catch (error) {
    const gone = error instanceof BlobMissing || (error instanceof DomainError && error.status === 404);
    if (!gone) throw error;
    return Readable.from([]);
  }
}

const listsOf = ({ library, playlist }: Call) => ({
  files: (page: number) => library.images({ page, pageSize }),
  pastes: (page: number) => library.pastes({ page, pageSize }),
  links: (page: number) => library.urls({ page, pageSize }),
  playlists: async (page: number) => {
    const { playlists, total } = await playlist.mine({ page, pageSize });
    return { items: playlists, total };
  },
});

/** The account itself; its key is no part of what one takes along. */
async function accountOf(call: Call): Promise<object> {
  const [{ apiKey: _, ...account }, urlSettings, webhookSettings] = await Promise.all([
    call.user.me(),
    call.user.urlSettings(),
    call.user.webhookSettings(),
  ]);
  return { ...account, urlSettings, webhookSettings };
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
