import { Readable } from 'node:stream';
import { type OpenEntry, zipOf } from '../../../rest-adapter/reply/zip-stream.js';
import { unlessGone } from '../../../routers/errors.js';
import { createCaller } from '../../../routers/index.js';
import { BlobMissing, type BlobStore } from '../../../routers/ports/storage.js';
import type { PageRequest } from '../request.js';

type Call = PageRequest['call'];

/** Items per request. */
const pageSize = 100;
/** IDs that are remembered, so that no item is listed twice unless more than this many are deleted. */
const rememberedIds = 20 * pageSize;

interface Item {
  readonly uniqueId: string;
}

/** One page of a list, as returned by the library procedures. */
type ListPage<T> = (page: number) => Promise<{ readonly items: readonly T[]; readonly total: number }>;

/**
 * Everything in an account as a streamed zip: files as stored, pastes as text, mails with attachments, and all
 * records as JSON lines. Lists are read page by page, as fast as the client reads the zip; only names are kept in
 * memory. For pastes that can be read once, only the record is included.
 */
export const exportAccount = (request: PageRequest): Readable => zipOf(entriesOf(request));

/** The entries of the zip, each opened when it is needed. Items deleted since they were listed are skipped. */
async function* entriesOf({ call, ctx, site }: PageRequest): AsyncGenerator<OpenEntry> {
  const mtime = new Date();
  const { blobs } = ctx.app;
  const lists = listsOf(call);
  yield { name: 'account.json', mtime, content: Readable.from(accountOf(call)) };
  const account = await ctx.app.load.user(site.viewer?.uid ?? 0);
  yield* fileEntry('picture.webp', mtime, blobs, account?.avatarSha256 ?? null);
  for (const [name, list] of Object.entries(lists)) {
    const items = name === 'playlists' ? wholePlaylists(ctx, lists.playlists) : all<Item>(list);
    yield { name: `${name}.jsonl`, mtime, content: Readable.from(linesOf(items)) };
  }
  for await (const { uniqueId, sha256, originalName, type, uploadedAt } of all(lists.files)) {
    const name = `files/${uniqueId} ${originalName ?? `${uniqueId}.${type}`}`;
    yield* fileEntry(name, new Date(uploadedAt), blobs, sha256);
  }
  yield* pasteEntries(ctx, lists.pastes);
  yield* mailEntries(ctx);
}

/**
 * The texts of pastes. Each is counted as memory in use only until it is in the zip, not until the whole zip is sent.
 */
async function* pasteEntries(
  ctx: PageRequest['ctx'],
  list: ReturnType<typeof listsOf>['pastes'],
): AsyncGenerator<OpenEntry> {
  const { call, release } = callsBetween(ctx);
  const { paste: pastes } = call;
  try {
    for await (const { uniqueId, createdAt, burn } of all(list)) {
      const paste = burn ? null : await unlessGone(pastes.get({ uniqueId }));
      const name = `pastes/${uniqueId}.txt`;
      if (paste !== null) yield { name, mtime: new Date(createdAt), content: Readable.from([paste.content]) };
      release();
    }
  } finally {
    release();
  }
}

/** Calls that may be large, each counted as memory in use until `release`. */
function callsBetween(ctx: PageRequest['ctx']): { readonly call: Call; readonly release: () => void } {
  const held: (() => void)[] = [];
  return {
    call: createCaller({ ...ctx, whenOver: (done) => held.push(done) }),
    release: () => {
      for (const done of held.splice(0)) done();
    },
  };
}

/** The entry of a file; none if it has no bytes or was deleted in the meantime. */
async function* fileEntry(
  name: string,
  mtime: Date,
  blobs: BlobStore,
  sha256: string | null,
): AsyncGenerator<OpenEntry> {
  const content = sha256 === null ? null : await blobOrNull(blobs.open(sha256));
  if (content !== null) yield { name, mtime, content };
}

const blobOrNull = (blob: Promise<Readable>): Promise<Readable | null> =>
  blob.catch((error: unknown) => {
    if (error instanceof BlobMissing) return null;
    throw error;
  });

/** The mails of all mailboxes, each as JSON, with attachments in a folder of the same name. */
async function* mailEntries(ctx: PageRequest['ctx']): AsyncGenerator<OpenEntry> {
  const { call, release } = callsBetween(ctx);
  const { blobs } = ctx.app;
  try {
    for (const { email } of await call.email.mine()) {
      const inbox: ListPage<Item> = async (page) => {
        // Does not collect new mail from the provider: the zip is already being sent.
        const inbox = await unlessGone(call.email.inbox({ email, page, pageSize, collect: false }));
        const { items, total } = inbox ?? { items: [], total: 0 };
        return { items: items.map(({ messageId }) => ({ uniqueId: messageId })), total };
      };
      for await (const { uniqueId: messageId } of all(inbox)) {
        const mail = await unlessGone(call.email.message({ email, messageId, whole: true }));
        if (mail === null) continue;
        const mtime = new Date(mail.receivedAt);
        const name = `mail/${email}/${mail.receivedAt} ${mail.subject.replaceAll('/', '_')}`;
        const { truncated: _, ...written } = mail;
        yield { name: `${name}.json`, mtime, content: Readable.from([JSON.stringify(written, null, 2)]) };
        release();
        for (const index of mail.attachments.keys()) {
          const file = await unlessGone(call.email.attachment({ email, messageId, index }));
          if (file === null) continue;
          yield* fileEntry(`${name}/${file.filename.replaceAll('/', '_')}`, mtime, blobs, file.sha256);
        }
      }
    }
  } finally {
    release();
  }
}

const listsOf = ({ library, playlist, email }: Call) => ({
  files: (page: number) => library.images({ page, pageSize }),
  pastes: (page: number) => library.pastes({ page, pageSize }),
  links: (page: number) => library.urls({ page, pageSize }),
  playlists: async (page: number) => {
    const { playlists, total } = await playlist.mine({ page, pageSize });
    return { items: playlists, total };
  },
  mailboxes: async (page: number) => {
    const mailboxes = await email.mine();
    const items = mailboxes.slice(page * pageSize, (page + 1) * pageSize);
    return {
      items: items.map((mailbox) => ({ uniqueId: mailbox.email, ...mailbox })),
      total: mailboxes.length,
    };
  },
});

/** The account as JSON, without its API key. */
async function* accountOf(call: Call): AsyncGenerator<string> {
  const [{ apiKey: _, ...account }, urlSettings, webhookSettings] = await Promise.all([
    call.user.me(),
    call.user.urlSettings(),
    call.user.webhookSettings(),
  ]);
  yield JSON.stringify({ ...account, urlSettings, webhookSettings }, null, 2);
}

/** Every item of a list in newest-first order, even if some are deleted in the meantime. */
async function* all<T extends Item>(list: ListPage<T>): AsyncGenerator<T> {
  const seen = new Set<string>();
  let known = 0;
  for (let page = 0; ; page += 1) {
    const { items, total } = await list(page);
    const fewer = known - total;
    known = total;
    if (fewer > 0) {
      // Items after the deleted ones have moved to pages that were already read.
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

/** Playlists with their cover and the IDs of their items, in order. */
async function* wholePlaylists(ctx: PageRequest['ctx'], list: ListPage<Item>): AsyncGenerator<Item> {
  const { call, release } = callsBetween(ctx);
  try {
    for await (const listed of all(list)) {
      const whole = await unlessGone(call.playlist.get({ identifier: listed.uniqueId, head: true }));
      const { cover = null, images = [] } = whole ?? {};
      yield { ...listed, cover, images: images.map(({ uniqueId }) => uniqueId) } as Item;
      release();
    }
  } finally {
    release();
  }
}

async function* linesOf(items: AsyncIterable<Item>): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`;
}
