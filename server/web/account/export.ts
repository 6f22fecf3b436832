import { Readable } from 'node:stream';
import { type OpenEntry, zipOf } from '../../../rest-adapter/reply/zip-stream.js';
import { unlessGone } from '../../../routers/errors.js';
import { KINDS } from '../../../routers/kinds.js';
import { ITEM_PAGES } from '../items.js';
import type { PageRequest } from '../request.js';
import { all, callsBetween, fileEntry, type Item, type ListPage, PAGE_SIZE } from './export-lists.js';

type Call = PageRequest['call'];

/**
 * Everything in an account as a streamed zip: files as stored, pastes as text, mails with attachments, and all
 * records as JSON lines. Lists are read page by page, as fast as the client reads the zip; only names are kept in
 * memory. For pastes that can be read once, only the record is included.
 */
export const exportAccount = (request: PageRequest): Readable => zipOf(entriesOf(request));

/** The entries of the zip, each opened when it is needed. Items deleted since they were listed are skipped. */
async function* entriesOf(request: PageRequest): AsyncGenerator<OpenEntry> {
  const { call, ctx, site } = request;
  const mtime = new Date();
  const { blobs } = ctx.app.storage;
  const lists = listsOf(call);
  yield { name: 'account.json', mtime, content: Readable.from(accountOf(call)) };
  const account = await ctx.app.load.user(site.viewer?.uid ?? 0);
  yield* fileEntry('picture.webp', mtime, blobs, account?.avatarSha256 ?? null);
  for (const [name, list] of Object.entries(lists)) {
    const items = name === 'playlists' ? wholePlaylists(ctx, lists.playlists) : all<Item>(list);
    yield { name: `${name}.jsonl`, mtime, content: Readable.from(linesOf(items)) };
  }
  for (const kind of KINDS) yield* ITEM_PAGES[kind].export.entries?.(request) ?? [];
  yield* mailEntries(ctx);
}

/** The mails of all mailboxes, each as JSON, with attachments in a folder of the same name. */
async function* mailEntries(ctx: PageRequest['ctx']): AsyncGenerator<OpenEntry> {
  const { call, release } = callsBetween(ctx);
  const { blobs } = ctx.app.storage;
  try {
    for (const { email } of await call.email.mine()) {
      const inbox: ListPage<Item> = async (page) => {
        // Does not collect new mail from the provider: the zip is already being sent.
        const inbox = await unlessGone(
          call.email.inbox({ email, page, pageSize: PAGE_SIZE, collect: false }),
        );
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

/** The lists of an account by name; those of items come first. */
const listsOf = (call: Call) => ({
  ...Object.fromEntries(
    KINDS.map((kind) => [ITEM_PAGES[kind].export.name, ITEM_PAGES[kind].export.list(call)]),
  ),
  ...otherLists(call),
});

const otherLists = ({ playlist, email }: Call) => ({
  playlists: async (page: number) => {
    const { playlists, total } = await playlist.mine({ page, pageSize: PAGE_SIZE });
    return { items: playlists, total };
  },
  mailboxes: async (page: number) => {
    const mailboxes = await email.mine();
    const items = mailboxes.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
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
