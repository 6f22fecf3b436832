import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { filesInput } from '../../../../routers/features/paste/files.js';
import { languageInput, MAX_FILES, MAX_PASTE_LENGTH } from '../../../../routers/features/paste/text.js';
import { type CommittedFile, committedFiles } from '../git.js';
import { addressBelow, fileBelow, OUTSIDE, PLAIN, type Product, refused, type SourceItem } from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import type { Row } from '../tables/tables.js';
import { moment, text, truth, whole } from '../tables/values.js';
import { usualAccount } from './account.js';

const KNOWN: Known = {
  product: 'Opengist 1',
  tables: {
    users: {
      needs: ['id', 'username', 'password', 'created_at'],
      may: [
        ...['is_admin', 'email', 'md5_hash', 'avatar_url', 'github_id', 'gitlab_id', 'gitea_id', 'oidc_id'],
        ...['style_preferences'],
      ],
      hasAccounts: true,
    },
    gists: {
      needs: ['id', 'uuid', 'title', 'private', 'user_id', 'created_at'],
      may: [
        ...['url', 'preview', 'preview_filename', 'preview_mime_type', 'description', 'nb_files', 'nb_likes'],
        ...['nb_forks', 'updated_at', 'forked_id', 'expires_at', 'language'],
      ],
      ids: ['id', 'uuid'],
    },
    gist_topics: { needs: ['gist_id', 'topic'], isOptional: true },
    admin_settings: { needs: ['key', 'value'], isOptional: true },
  },
  others: [
    ...['likes', 'ssh_keys', 'invitations', 'totps', 'totp', 'web_authn_credentials', 'migration_versions'],
    ...['gist_languages', 'gist_init_queues', 'access_tokens'],
  ],
};

/** Opengist: its database, in SQLite or PostgreSQL, or a dump of MySQL, and the folder `repos`. Each gist is a paste. */
export const opengist: Product = {
  needs: { database: true, files: true },
  paths: { gists: '/' },
  async open({ database, files, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {
        for await (const row of tables.rows('users')) yield usualAccount(row);
      },
      async *items() {
        const names = new Map<string, string>();
        for await (const row of tables.rows('users')) names.set(text(row.id) ?? '', text(row.username) ?? '');
        const topics = await topicsOf(tables);
        const restriction = await restrictionOf(tables);
        for await (const row of tables.rows('gists'))
          yield* filesOf(row, {
            username: names.get(text(row.user_id) ?? '') ?? '',
            folder: files ?? '',
            path: paths.gists ?? '',
            tags: topics.get(text(row.id) ?? '') ?? [],
            restriction,
          });
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

interface Around {
  readonly username: string;
  readonly folder: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly restriction: string | null;
}

async function topicsOf(tables: KnownTables): Promise<Map<string, string[]>> {
  const topics = new Map<string, string[]>();
  for await (const row of tables.rows('gist_topics')) {
    const gist = text(row.gist_id) ?? '';
    topics.set(gist, [...(topics.get(gist) ?? []), text(row.topic) ?? '']);
  }
  return topics;
}

/** What keeps strangers from all gists. */
async function restrictionOf(tables: KnownTables): Promise<string | null> {
  const settings = new Map<string, boolean>();
  for await (const row of tables.rows('admin_settings')) settings.set(text(row.key) ?? '', truth(row.value));
  return settings.get('require-login') && !settings.get('allow-gists-without-login')
    ? 'only who was signed in could see it there'
    : null;
}

/** The texts of a gist, which has its id and its page, and what is no text, or too much, as files and pastes of their own. */
async function* filesOf(
  row: Row,
  { username, folder, path, tags, restriction }: Around,
): AsyncGenerator<SourceItem> {
  const uuid = text(row.uuid) ?? '';
  const gist = `gist ${text(row.id)}`;
  const repository = fileBelow(folder, username.toLowerCase(), uuid);
  if (repository === null) return yield refused('paste', gist, OUTSIDE);
  const files = await committedFiles(repository);
  if (files === null) return yield refused('paste', gist, `has no files that can be read: ${repository}`);
  const own = text(row.url) || null;
  const pages = [uuid, ...(own === null ? [] : [own])].map((id) => addressBelow(path, `${username}/${id}`));
  const texts = await textsOf(files);
  const common = (names: readonly string[], isFirst: boolean) => ({
    ...PLAIN,
    key: `${gist} ${names[0]}`,
    owner: text(row.user_id),
    id: isFirst ? (own ?? uuid) : null,
    addresses: names.flatMap((name) => pages.map((page) => `${page}/raw/HEAD/${name}`)),
    pages: isFirst ? pages : [],
    createdAt: moment(row.created_at) ?? Date.now(),
    expiresAt: moment(row.expires_at) || null,
    // Those that are not listed are seen by whoever has the address, as everywhere here.
    isPublic: [0, 1].includes(whole(row.private) ?? 2),
    restriction,
    tags,
    rows: [row],
  });
  const [first] = texts;
  const names = new Set(texts.map(({ name }) => name));
  if (first !== undefined)
    yield {
      ...common([...names], true),
      ...{ kind: 'paste', content: first.text, language: first.language, burn: false },
      title: titleOf(text(row.title), first.name, 1),
      ...(texts.length > 1 ? { files: texts } : {}),
    };
  let isFirst = first === undefined;
  for await (const file of (await committedFiles(repository)) ?? []) {
    const { name, bytes } = file;
    if (names.has(name)) continue;
    if (bytes === null) {
      yield refused('paste', `${gist} ${name}`, file.reason);
      continue;
    }
    const item = common([name], isFirst);
    isFirst = false;
    if (isText(bytes))
      yield {
        ...{
          ...item,
          kind: 'paste',
          content: bytes.toString('utf8'),
          language: languageOf(name),
          burn: false,
        },
        title: titleOf(text(row.title), name, whole(row.nb_files) ?? 1),
      };
    else yield { ...item, kind: 'image', bytes, name, description: null, views: 0, maxViews: null };
  }
}

const isText = (bytes: Buffer): boolean =>
  isUtf8(bytes) && !bytes.includes(0) && bytes.length <= MAX_PASTE_LENGTH;
const languageOf = (name: string): string | null =>
  languageInput.safeParse(extname(name).slice(1)).data || null;

/** The first files that one paste has room for. */
async function textsOf(files: AsyncIterable<CommittedFile>) {
  const texts: { name: string; text: string; language: string | null }[] = [];
  let left = MAX_PASTE_LENGTH;
  for await (const { name, bytes } of files) {
    if (bytes === null || texts.length === MAX_FILES || bytes.length > left || !isText(bytes)) continue;
    const file = { name, text: bytes.toString('utf8'), language: languageOf(name) };
    if (!filesInput.safeParse([file]).success) continue;
    left -= bytes.length;
    texts.push(file);
  }
  return texts;
}

/** Of several files each is named; a gist without a title was called `gist:` and its id. */
function titleOf(title: string | null, name: string, files: number): string {
  if (title === null || title === '' || title.startsWith('gist:')) return name;
  return files > 1 && title !== name ? `${title}: ${name}` : title;
}
