import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { MAX_PASTE_LENGTH } from '../../../../routers/paste/text.js';
import { committedFiles } from '../git.js';
import { addressBelow, fileBelow, OUTSIDE, PLAIN, type Product, type SourceItem } from '../port.js';
import { moment, openTables, type Row, type Tables, text, whole } from '../tables/index.js';
import { checkable } from './hashes.js';

/** Opengist: its database, in SQLite or PostgreSQL, or a dump of MySQL, and the folder `repos`. Each file is a paste. */
export const opengist: Product = {
  needs: { database: true, files: true },
  paths: { gists: '/' },
  async open({ database, files, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {
        for await (const row of tables.rows('users'))
          yield {
            key: text(row.id) ?? '',
            username: text(row.username) ?? '',
            email: text(row.email) || null,
            passwordHash: checkable(text(row.password)),
            createdAt: moment(row.created_at) ?? Date.now(),
            isBanned: false,
          };
      },
      async *items() {
        const names = new Map<string, string>();
        for await (const row of tables.rows('users')) names.set(text(row.id) ?? '', text(row.username) ?? '');
        const topics = await topicsOf(tables);
        for await (const row of tables.rows('gists'))
          yield* filesOf(row, {
            username: names.get(text(row.user_id) ?? '') ?? '',
            folder: files ?? '',
            path: paths.gists ?? '',
            tags: topics.get(text(row.id) ?? '') ?? [],
          });
      },
      close: () => tables.close(),
    };
  },
};

interface Around {
  readonly username: string;
  readonly folder: string;
  readonly path: string;
  readonly tags: readonly string[];
}

async function topicsOf(tables: Tables): Promise<Map<string, string[]>> {
  const topics = new Map<string, string[]>();
  for await (const row of tables.rows('gist_topics')) {
    const gist = text(row.gist_id) ?? '';
    topics.set(gist, [...(topics.get(gist) ?? []), text(row.topic) ?? '']);
  }
  return topics;
}

/** The files of a gist. The first one has its id and its page. */
async function* filesOf(row: Row, { username, folder, path, tags }: Around): AsyncGenerator<SourceItem> {
  const uuid = text(row.uuid) ?? '';
  const gist = `gist ${text(row.id)}`;
  const repository = fileBelow(folder, username.toLowerCase(), uuid);
  if (repository === null) return yield { kind: 'refused', key: gist, reason: OUTSIDE };
  const files = await committedFiles(repository);
  if (files === null)
    return yield { kind: 'refused', key: gist, reason: `${repository} has no files that can be read` };
  const own = text(row.url) || null;
  const pages = [uuid, ...(own === null ? [] : [own])].map((id) => addressBelow(path, `${username}/${id}`));
  let isFirst = true;
  for await (const file of files) {
    const { name, bytes } = file;
    const key = `${gist} ${name}`;
    if (bytes === null) {
      yield { kind: 'refused', key, reason: file.reason };
      continue;
    }
    const common = {
      ...PLAIN,
      key,
      owner: text(row.user_id),
      id: isFirst ? (own ?? uuid) : null,
      addresses: pages.map((page) => `${page}/raw/HEAD/${name}`),
      pages: isFirst ? pages : [],
      createdAt: moment(row.created_at) ?? Date.now(),
      expiresAt: moment(row.expires_at) || null,
      // Those that are not listed are seen by whoever has the address, as everywhere here.
      isPublic: whole(row.private) !== 2,
      tags,
    };
    isFirst = false;
    if (isUtf8(bytes) && !bytes.includes(0) && bytes.length <= MAX_PASTE_LENGTH)
      yield {
        ...common,
        kind: 'paste',
        title: titleOf(text(row.title), name, whole(row.nb_files) ?? 1),
        content: bytes.toString('utf8'),
        language: extname(name).slice(1) || null,
        burn: false,
      };
    else yield { ...common, kind: 'image', bytes, name, description: null, views: 0, maxViews: null };
  }
}

/** Of several files each is named; a gist without a title was called `gist:` and its id. */
function titleOf(title: string | null, name: string, files: number): string {
  if (title === null || title === '' || title.startsWith('gist:')) return name;
  return files > 1 && title !== name ? `${title}: ${name}` : title;
}
