import { opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { argon2id } from '../../../drivers/secrets/passwords.js';
import { ImportError, PLAIN, type Product, type SourceItem } from '../port.js';
import { moment, openTables, text } from '../tables/index.js';
import { type PasteLink, readLinks } from './privatebin-links.js';
import { decryptPaste, type EncryptedPaste, readPaste } from './privatebin-paste.js';

/** The name of its table, and with the prefix of its example configuration. */
const TABLES = ['paste', 'privatebin_paste'];
const PROTECTION = /^<\?php http_response_code\(403\); \/\*\r?\n/;
/** Larger files are no pastes: its own limit is 10 MB. */
const MAX_FILE = 64 * 1024 * 1024;

/**
 * PrivateBin: its folder `data`, or its database. What is in there is encrypted, and only its links have the keys: the
 * pastes come whose links are in the file that `--links` names.
 */
export const privatebin: Product = {
  needs: { database: 'optional', files: 'optional', links: true },
  paths: {},
  async open({ database, files, links }) {
    if ((database === null) === (files === null))
      throw new ImportError('give either --files, its folder data, or --database');
    const known = await readLinks(links ?? '');
    const source = database === null ? pastesIn(files ?? '') : await pastesOf(database);
    return {
      async *accounts() {},
      async *items() {
        for await (const stored of source.pastes()) yield* itemsOf(stored, known.get(stored.id));
      },
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
}

interface Pastes {
  pastes(): AsyncIterable<Stored>;
  close(): Promise<void>;
}

/** The pastes in a folder: `ab/cd/abcd….php`, behind a line that keeps web servers from showing them. */
function pastesIn(folder: string): Pastes {
  return {
    async *pastes() {
      for (const first of await foldersIn(folder))
        for (const second of await foldersIn(join(folder, first))) {
          const here = join(folder, first, second);
          for await (const entry of await opendir(here)) {
            const [, id] = /^([0-9a-f]{16})(?:\.php)?$/.exec(entry.name) ?? [];
            if (id === undefined || !entry.isFile()) continue;
            const path = join(here, entry.name);
            const { size, mtimeMs } = await stat(path);
            const written = size > MAX_FILE ? '' : (await readFile(path, 'utf8')).replace(PROTECTION, '');
            yield { id, paste: readPaste(written), storedAt: Math.round(mtimeMs) };
          }
        }
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

async function pastesOf(database: string): Promise<Pastes> {
  const tables = await openTables(database);
  return {
    async *pastes() {
      for (const table of TABLES)
        for await (const row of tables.rows(table, 'contents')) {
          const paste = readPaste(text(row.data) ?? '');
          const expiresAt = moment(row.expiredate) || null;
          yield {
            id: text(row.dataid) ?? '',
            paste: paste === null ? null : { ...paste, expiresAt: expiresAt ?? paste.expiresAt },
            storedAt: Date.now(),
          };
        }
    },
    close: () => tables.close(),
  };
}

/** A paste, and what was attached to it. */
async function* itemsOf(
  { id, paste, storedAt }: Stored,
  link: PasteLink | undefined,
): AsyncGenerator<SourceItem> {
  const key = `paste ${id}`;
  const refused = (reason: string): SourceItem => ({ kind: 'refused', key, reason });
  if (paste === null) return yield refused('cannot be read: it is damaged, or of a release before 1.3');
  if (paste.expiresAt !== null && paste.expiresAt <= Date.now()) return yield refused('has expired');
  if (link === undefined) return yield refused('is encrypted, and --links has no link with its key');
  const plain = await decryptPaste(paste, link);
  if (plain === null)
    return yield refused('cannot be decrypted with the key of its link, and the password behind it');
  const common = {
    ...PLAIN,
    owner: null,
    createdAt: paste.createdAt ?? storedAt,
    expiresAt: paste.expiresAt,
    // The password goes on protecting it.
    passwordHash: link.password === '' ? null : await argon2id.hash(link.password),
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
