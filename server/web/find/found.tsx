import { unlessRemoved } from '../../../routers/base/errors.js';
import { KINDS, type Kind } from '../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { collectionEditorPath, itemPath, listPath, mailboxPath } from '../address.js';
import { thumbnailOf } from '../components/item/media.js';
import { AccessSigns, type Row } from '../components/list/rows.js';
import { sectionsOf } from '../components/page/section.js';
import { Time } from '../components/parts.js';
import { bareUrl, fileSize } from '../format.js';
import { type Entry, KIND_WORDS } from '../kinds.js';
import { paged } from '../listing.js';
import type { ListedImage, OwnItem, Paged } from '../records.js';
import { reasonOf } from '../refusal.js';
import type { PageRequest } from '../request.js';
import type { Site } from '../site.js';
import { FoundIn, SnippetText } from './found-in.js';

/** The address of the search. */
export const FIND = '/web/find';

/** What a search goes through, each with results of its own. */
export const FOUND_KINDS = [...KINDS, 'collection', 'mail'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** What those of a kind are called. */
export const foundTitle = (kind: FoundKind): Message =>
  kind === 'collection' ? msg('Collections') : kind === 'mail' ? msg('Mail') : KIND_WORDS[kind].title;

/** A row of a result, with what tells it from the others; what is looked at is a tile instead. */
export type FoundRow = Row & { readonly key: string; readonly tile?: ListedImage | undefined };

/** What is searched for, and which page of it. */
interface Asked {
  readonly search: string;
  readonly page: number;
  readonly size: number;
}

/** A page of what a search finds of one kind. */
export function findOf(kind: FoundKind, request: PageRequest, asked: Asked): Promise<Paged<FoundRow>> {
  return kind === 'collection'
    ? findCollections(request, asked)
    : kind === 'mail'
      ? findMails(request, asked)
      : findItems(request, { ...asked, kind, tag: '' });
}

/** Own items; of one kind, with '' of every kind. */
export async function findItems(
  { call }: PageRequest,
  { size, ...asked }: Asked & { readonly kind: '' | Kind; readonly tag: string },
): Promise<Paged<FoundRow>> {
  const list = await call.library.items({ ...asked, pageSize: size });
  const rows = list.items.map(async (item) => ({
    ...itemRow(item),
    // Words in a picture are shown where they are in it.
    tile: item.thumbhash === null || item.found ? undefined : await tileOf(call, item),
  }));
  return { ...list, items: await Promise.all(rows) };
}

/** The record of a picture; undefined if it is gone by now. */
const tileOf = async ({ image }: PageRequest['call'], { uniqueId }: OwnItem) =>
  (await unlessRemoved(image.info({ uniqueId }))) ?? undefined;

async function findCollections({ call }: PageRequest, asked: Asked): Promise<Paged<FoundRow>> {
  const list = paged(await call.collection.mine({ ...asked, pictured: true }));
  const items = list.items.map((found) => ({
    key: found.uniqueId,
    name: found.title || t('A sealed collection'),
    href: collectionEditorPath(found.uniqueId),
    mark: {
      picture: found.pictures?.map((picture) => thumbnailOf(picture)).find(Boolean) ?? null,
      ...({ icon: 'album', kind: 'collection' } as const),
    },
    signs: <AccessSigns {...found} />,
    line: [
      t('{totalFiles, plural, one {# file} other {# files}}', { totalFiles: found.totalFiles }),
      fileSize(found.totalSize),
    ],
  }));
  return { ...list, items };
}

/** Mails of all mailboxes that are here; providers are not asked, because nobody waits for them at a search. */
async function findMails({ call }: PageRequest, { search, page, size }: Asked): Promise<Paged<FoundRow>> {
  const asked = { search, start: page * size, limit: size, collect: false };
  const { items, total } = await call.inboxes.find(asked).catch((error: unknown) => {
    // What mails cannot be searched for may be the name of something else.
    if (reasonOf(error) !== 'INVALID') throw error;
    return { items: [], total: 0 };
  });
  const rows = items.map(({ id, email, messageId, subject, from, receivedAt, unread, snippet }) => ({
    key: String(id),
    name: subject || t('(no subject)'),
    href: listPath(`${mailboxPath(email)}/message`, { id: messageId }),
    mark: { icon: 'mail' as const },
    line: [unread ? t('unread') : null, <bdi key="from">{from}</bdi>, <Time key="at" at={receivedAt} />],
    more: snippet && (
      <p class="snippet" dir="auto">
        {snippet}
      </p>
    ),
  }));
  return { items: rows, total, page, pageSize: size };
}

/** Parts of the settings that have no page of their own. */
const PARTS: readonly Entry[] = [
  ['/web/settings', msg('Profile picture'), 'user'],
  ['/web/settings#language', msg('Language'), 'globe'],
  ['/web/settings', msg('Social profiles'), 'user'],
  ['/web/settings/security', msg('Password'), 'key'],
  ['/web/settings/security/email', msg('E-mail address'), 'mail'],
  ['/web/settings/security/two-step', msg('Two-step sign-in'), 'key'],
  ['/web/settings/security', msg('Passkeys'), 'key'],
  ['/web/settings/security', msg('Sessions'), 'key'],
  ['/web/settings/account', msg('Export your data'), 'download'],
  ['/web/settings/account', msg('Delete account'), 'trash'],
];

/** The pages of settings, and their parts, whose names have the words of a search. */
export function findSettings({ viewer, i18n }: Site, search: string): readonly FoundRow[] {
  const lower = (text: string) => text.toLocaleLowerCase(i18n.language);
  const words = lower(search).split(/\s+/).filter(Boolean);
  const sections = sectionsOf(viewer).map(({ title, places }) => [title, places] as const);
  const [[own] = [msg('Settings')]] = sections;
  return [...sections, [own, PARTS] as const].flatMap(([title, places]) =>
    places.flatMap(([href, label, icon]) => {
      const name = translateMessage(label);
      const said = lower(`${translateMessage(title)} ${name}`);
      if (!words.every((word) => said.includes(word))) return [];
      return [{ key: `${href} ${name}`, name, href, mark: { icon }, line: [translateMessage(title)] }];
    }),
  );
}

const itemRow = (item: OwnItem): FoundRow => ({
  key: `${item.kind} ${item.uniqueId}`,
  name: item.title,
  href: itemPath(item.kind, item.uniqueId),
  mark: { icon: KIND_WORDS[item.kind].mark, kind: item.kind },
  signs: <AccessSigns {...item} />,
  line: [
    item.size === null ? bareUrl(item.urlSet.shortUrl) : fileSize(item.size),
    <Time key="at" at={item.createdAt} />,
    item.tags.length === 0
      ? null
      : item.tags.map((tag) => (
          <a key={tag} href={listPath(FIND, { tag })} dir="auto">
            {tag}
          </a>
        )),
  ],
  more: (
    <>
      {item.snippet && <SnippetText snippet={item.snippet} />}
      {item.found && <FoundIn item={item} found={item.found} />}
    </>
  ),
});
