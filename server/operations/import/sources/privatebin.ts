import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { argon2id } from '../../../drivers/secrets/passwords.js';
import { ImportError, PLAIN, type Product, refused, type SourceItem } from '../port.js';
import { openKnown } from '../tables/known.js';
import type { Column, Row } from '../tables/tables.js';
import { moment, text } from '../tables/values.js';
import { type PasteLink, readLinks } from './privatebin-links.js';
import { decryptPaste, type EncryptedPaste, readPaste } from './privatebin-paste.js';

const PROTECTION = /^<\?php http_response_code\(403\); \/\*\r?\n/;
/** Larger files are no pastes: its own limit is 10 MB. */
const MAX_FILE = 64 * 1024 * 1024;

/**
 * PrivateBin: its folder `data`, or its database. What is in there is encrypted, and only its links have the keys: the
 * pastes come whose links are in the file that `--links` names.
 */
export const privatebin: Product = {
  needs: { database: 'optional', files: 'optional', links: true, prefix: 'optional' },
  paths: {},
  async open({ database, files, links, ignored, prefix }) {
    if ((database === null) === (files === null))
      throw new ImportError('give either --files, its folder data, or --database');
    const known = await readLinks(links ?? '');
    const source = database === null ? pastesIn(files ?? '') : await pastesOf(database, ignored, prefix);
    return {
      async *accounts() {},
      async *items() {
        for await (const stored of source.pastes()) yield* itemsOf(stored, known.get(stored.id));
      },
      leftOut: () => source.strangers,
      close: () => source.close(),
    };
  },
};

interface Stored {
  readonly id: string;
  /** Null if it is damaged, or of a release before 1.3. */
  readonly paste: EncryptedPaste | null;
  /** When it was stored, as far as it says nothing itself. */
  readonly storedAt: number;
  readonly rows: readonly Row[];
}

interface Pastes {
  readonly strangers: readonly string[];
  pastes(): AsyncIterable<Stored>;
  close(): Promise<void>;
}

/** The pastes in a folder: `ab/cd/abcd….php`, behind a line that keeps web servers from showing them. */
function pastesIn(folder: string): Pastes {
  return {
    strangers: [],
    async *pastes() {
      let count = 0;
      for (const first of await foldersIn(folder))
        for (const second of await foldersIn(join(folder, first))) {
          const here = join(folder, first, second);
          for await (const entry of await opendir(here)) {
            const [, id] = /^([0-9a-f]{16})(?:\.php)?$/.exec(entry.name) ?? [];
            if (id === undefined || !entry.isFile()) continue;
            const path = join(here, entry.name);
            count += 1;
            const { size, mtimeMs } = await stat(path);
            const written = size > MAX_FILE ? '' : (await readFile(path, 'utf8')).replace(PROTECTION, '');
            yield { id, paste: readPaste(written), storedAt: Math.round(mtimeMs), rows: [] };
          }
        }
      if (count === 0) throw new ImportError(`${folder} is no folder data of PrivateBin: it has no pastes`);
    },
    close: async () => {},
  };
}

async function foldersIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  const entries = await opendir(folder).catch((cause: Error) => {
    throw new ImportError(`${folder} cannot be read: ${cause.message}`, { cause });
  });
  for await (const { name } of entries) if (/^[0-9a-f]{2}$/.test(name)) names.push(name);
  return names;
}

/** Its table has a prefix that its operator chooses. */
function tableOf(schema: ReadonlyMap<string, readonly Column[]>, prefix: string | null): string {
  if (prefix !== null) return `${prefix}paste`;
  const found = [...schema].flatMap(([name, columns]) =>
    name.endsWith('paste') && columns.some((column) => column.name === 'dataid') ? [name] : [],
  );
  if (found.length > 1) throw new ImportError(`say with --prefix which of the tables: ${found.join(', ')}`);
  return found[0] ?? 'paste';
}

async function pastesOf(
  database: string,
  ignored: readonly string[],
  prefix: string | null,
): Promise<Pastes> {
  let table = '';
  const tables = await openKnown(
    database,
    (schema) => {
      table = tableOf(schema, prefix);
      const own = table.slice(0, -5);
      return {
        product: 'PrivateBin 1.3 or later',
        tables: {
          [table]: {
            needs: ['dataid', 'data', 'expiredate'],
            may: [
              ...['postdate', 'opendiscussion', 'burnafterreading', 'meta', 'attachment', 'attachmentname'],
            ],
            ids: ['dataid'],
          },
        },
        others: [
          ...[`${own}comment`, `${own}config`],
          ...[...schema.keys()].filter((name) => !name.startsWith(own)),
        ],
      };
    },
    ignored,
  );
  return {
    strangers: tables.strangers,
    async *pastes() {
      for await (const row of tables.rows(table, 'contents')) {
        const paste = readPaste(text(row.data) ?? '');
        const expiresAt = moment(row.expiredate) || null;
        yield {
          id: text(row.dataid) ?? '',
          paste: paste === null ? null : { ...paste, expiresAt: expiresAt ?? paste.expiresAt },
          storedAt: Date.now(),
          rows: [row],
        };
      }
    },
    close: () => tables.close(),
  };
}

/** A paste, and what was attached to it. */
async function* itemsOf(
  { id, paste, storedAt, rows }: Stored,
  link: PasteLink | undefined,
): AsyncGenerator<SourceItem> {
  const key = `paste ${id}`;
  const against = (reason: string): SourceItem => refused('paste', key, reason);
  if (paste === null) return yield against('cannot be read: it is damaged, or of a release before 1.3');
  if (paste.expiresAt !== null && paste.expiresAt <= Date.now()) return yield against('has expired');
  if (link === undefined) return yield against('is encrypted, and --links has no link with its key');
  const plain = await decryptPaste(paste, link);
  if (plain === null)
    return yield against('cannot be decrypted with the key of its link, and the password behind it');
  const common = {
    ...PLAIN,
    owner: null,
    createdAt: paste.createdAt ?? storedAt,
    expiresAt: paste.expiresAt,
    // The password goes on protecting it.
    passwordHash: link.password === '' ? null : await argon2id.hash(link.password),
    rows,
  };
  if (plain.text !== '' || plain.attachments.length === 0)
    yield {
      ...common,
      kind: 'paste',
      key,
      id,
      pages: [`?${id}`],
      title: null,
      content: plain.text,
      language: paste.isMarkdown ? 'markdown' : null,
      burn: paste.burn,
    };
  for (const [index, { name, bytes }] of plain.attachments.entries())
    yield {
      ...common,
      kind: 'image',
      key: `${key} attachment ${index + 1}`,
      pages: plain.text === '' && index === 0 ? [`?${id}`] : [],
      bytes,
      name,
      description: null,
      views: 0,
      maxViews: paste.burn ? 1 : null,
    };
}
