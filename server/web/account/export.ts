import { Readable } from 'node:stream';
import { type OpenEntry, zipOf } from '../../../rest-adapter/reply/zip-stream.js';
import { unlessRemoved } from '../../../routers/base/errors.js';
import { KINDS, type SharedKind } from '../../../routers/base/kinds.js';
import { ITEM_PAGES } from '../items.js';
import type { PageRequest } from '../request.js';
import { allLinks } from '../share/all-links.js';
import {
  all,
  callsBetween,
  fileEntry,
  type Item,
  type ListPage,
  PAGE_SIZE,
  textLines,
} from './export-lists.js';
import { trashEntries } from './export-trash.js';

type Call = PageRequest['call'];

/**
 * Everything in an account as a streamed zip: files as stored, pastes as text, mails as shown, as they came and with attachments, and all
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
    const whole = WHOLE[name];
    const items = whole === undefined ? all<Item>(list) : whole(ctx, list as ListPage<Item>);
    yield { name: `${name}.jsonl`, mtime, content: Readable.from(linesOf(items)) };
  }
  const origins = await call.library.origins();
  yield { name: 'origins.jsonl', mtime, content: Readable.from(textLines(origins.each())) };
  const views = await call.stats.exportOpened();
  yield { name: 'views.jsonl', mtime, content: Readable.from(textLines(views.each())) };
  for (const kind of KINDS) yield* ITEM_PAGES[kind].export.entries?.(request) ?? [];
  yield* trashEntries(request);
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
        const inbox = await unlessRemoved(
          call.email.inbox({ email, page, pageSize: PAGE_SIZE, collect: false }),
        );
        const { items, total } = inbox ?? { items: [], total: 0 };
        return { items: items.map(({ messageId }) => ({ uniqueId: messageId })), total };
      };
      for await (const { uniqueId: messageId } of all(inbox)) {
        const mail = await unlessRemoved(call.email.message({ email, messageId, whole: true }));
        if (mail === null) continue;
        const mtime = new Date(mail.receivedAt);
        const name = `mail/${email}/${mail.receivedAt} ${mail.subject.replaceAll('/', '_')}`;
        const { truncated: _, ...written } = mail;
        yield { name: `${name}.json`, mtime, content: Readable.from([JSON.stringify(written, null, 2)]) };
        release();
        if (mail.originalSize !== null) {
          const original = await unlessRemoved(call.email.raw({ email, messageId }));
          if (original?.as === 'bytes') yield* fileEntry(`${name}.eml`, mtime, blobs, original.sha256);
        }
        for (const index of mail.attachments.keys()) {
          const file = await unlessRemoved(call.email.attachment({ email, messageId, index }));
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

const otherLists = ({ playlist, collection, request, email, order, trash, url, domain }: Call) => ({
  domains: async () => {
    const { domains } = await domain.list();
    return { items: domains.map((own) => ({ uniqueId: own.host, ...own })), total: domains.length };
  },
  presets: async () => {
    const { presets } = await url.presets();
    return { items: presets.map((preset) => ({ uniqueId: preset.name, ...preset })), total: presets.length };
  },
  collections: async (page: number) => {
    const { content, totalElements } = await collection.mine({ page, size: PAGE_SIZE });
    return { items: content, total: totalElements };
  },
  'shared-with-me': async (page: number) => {
    const { content, totalElements } = await collection.sharedWithMe({ page, size: PAGE_SIZE });
    return { items: content, total: totalElements };
  },
  requests: async (page: number) => {
    const { content, totalElements } = await request.mine({ page, size: PAGE_SIZE });
    return { items: content, total: totalElements };
  },
  reports: async (page: number) => {
    const { content, totalElements } = await order.mine({ page, size: PAGE_SIZE });
    return {
      items: content.map((report) => ({ ...report, uniqueId: String(report.id), item: report.uniqueId })),
      total: totalElements,
    };
  },
  trash: async (page: number) => {
    const { items, total } = await trash.list({ page, pageSize: PAGE_SIZE });
    return { items, total };
  },
  playlists: async (page: number) => {
    const { playlists, total } = await playlist.mine({ page, pageSize: PAGE_SIZE });
    return { items: playlists, total };
  },
  sent: async (page: number) => {
    const { items, total } = await email.sent({ page, pageSize: PAGE_SIZE });
    return { items: items.map((sent) => ({ uniqueId: sent.messageId, ...sent })), total };
  },
  mailboxes: async (page: number) => {
    const mailboxes = await email.mine();
    const listed = mailboxes.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
    const items = await Promise.all(
      listed.map(async (mailbox) => ({
        ...mailbox,
        forward: await unlessRemoved(email.forward({ email: mailbox.email })),
        rules: (await unlessRemoved(email.rules({ email: mailbox.email })))?.rules,
      })),
    );
    return {
      items: items.map((mailbox) => ({ uniqueId: mailbox.email, ...mailbox })),
      total: mailboxes.length,
    };
  },
});

/** The account as JSON, without its API key. */
async function* accountOf(call: Call): AsyncGenerator<string> {
  const whole = { size: 100 };
  const [
    { apiKey: _, ...account },
    urlSettings,
    linkDigest,
    { language },
    webhookSettings,
    limits,
    ...access
  ] = await Promise.all([
    call.user.me(),
    call.user.urlSettings(),
    call.url.digest(),
    call.user.languageSettings(),
    call.user.webhookSettings(),
    call.limits.mine(),
    // What has access; without anything that signs in, which is not stored or not given away.
    call.user.keys(whole),
    call.passkey.list(whole),
    call.oidc.identities(whole),
  ]);
  const seal = await unlessRemoved(call.user.seal());
  const [keys, passkeys, identities] = access.map(({ content }) => content);
  yield JSON.stringify(
    {
      ...account,
      urlSettings,
      linkDigest,
      language,
      webhookSettings,
      limits,
      keys,
      passkeys,
      identities,
      seal,
    },
    null,
    2,
  );
}

/** Playlists with their cover and the IDs of their items, in order. */
async function* wholePlaylists(ctx: PageRequest['ctx'], list: ListPage<Item>): AsyncGenerator<Item> {
  const { call, release } = callsBetween(ctx);
  try {
    for await (const listed of all(list)) {
      const whole = await unlessRemoved(call.playlist.get({ identifier: listed.uniqueId, head: true }));
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

/** Collections with the places of their files, in order, their share links and members. */
async function* wholeCollections(ctx: PageRequest['ctx'], list: ListPage<Item>): AsyncGenerator<Item> {
  const { call, release } = callsBetween(ctx);
  try {
    for await (const listed of all(list)) {
      const named = { uniqueId: listed.uniqueId };
      const whole = await unlessRemoved(call.collection.get(named));
      const links = (await unlessRemoved(allLinks(call, 'collection', listed.uniqueId))) ?? [];
      const members = (await unlessRemoved(call.collection.members({ ...named, size: 100 })))?.content ?? [];
      const { cover = null, items = [] } = whole ?? {};
      yield {
        ...listed,
        cover,
        members: members.map(({ user: _, ...member }) => member),
        items: items.map(({ uniqueId, path }) => ({ uniqueId, path })),
        links: links.map(({ url: _, ...link }) => link),
      } as Item;
      release();
    }
  } finally {
    release();
  }
}

/** Items with their share links, without the secrets. */
const withLinks = (kind: SharedKind) =>
  async function* (ctx: PageRequest['ctx'], list: ListPage<Item>): AsyncGenerator<Item> {
    const { call, release } = callsBetween(ctx);
    try {
      for await (const listed of all(list)) {
        const links = (await unlessRemoved(allLinks(call, kind, listed.uniqueId))) ?? [];
        yield (
          links.length === 0 ? listed : { ...listed, links: links.map(({ url: _, ...link }) => link) }
        ) as Item;
        release();
      }
    } finally {
      release();
    }
  };

/** Lists whose entries are read one by one. */
const WHOLE: Readonly<
  Record<string, ((ctx: PageRequest['ctx'], list: ListPage<Item>) => AsyncGenerator<Item>) | undefined>
> = {
  playlists: wholePlaylists,
  collections: wholeCollections,
  [ITEM_PAGES.image.export.name]: withLinks('image'),
  [ITEM_PAGES.paste.export.name]: withLinks('paste'),
};
