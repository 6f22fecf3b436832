import { addressBelow, PLAIN, type Product, refused, type SourceItem } from '../port.js';
import { type Known, type KnownTables, openKnown } from '../tables/known.js';
import type { Row } from '../tables/tables.js';
import { moment, text } from '../tables/values.js';
import { usualAccount } from './account.js';
import { checkable } from './hashes.js';
import { isQoi, pngOfQoi } from './qoi.js';

/** Formats in which Picsur offers each of its images: what is asked for in any of them is given as it is. */
const FORMATS = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'tiff', 'bmp', 'avif', 'heif', 'qoi'];
/** Accounts of its own, which nobody signs in to. */
const SYSTEM = ['guest', 'root'];

const KNOWN: Known = {
  product: 'Picsur 0.4 or 0.5',
  tables: {
    e_user_backend: { needs: ['id', 'username', 'hashed_password'], may: ['roles'], hasAccounts: true },
    e_image_backend: {
      needs: ['id', 'user_id', 'created', 'file_name', 'expires_at'],
      may: ['delete_key'],
    },
    e_image_file_backend: { needs: ['image_id', 'variant', 'filetype', 'data'], may: ['_id'] },
    e_role_backend: { needs: ['name', 'permissions'], may: ['id'], isOptional: true },
  },
  others: [
    ...['e_image_derivative_backend', 'e_sys_preference_backend', 'e_usr_preference_backend'],
    ...['e_api_key_backend', 'e_system_state_backend'],
  ],
};

/** Picsur: its PostgreSQL database, which has the images as well. */
export const picsur: Product = {
  needs: { database: true, files: false },
  paths: { files: '/i', pages: '/view' },
  async open({ database, paths, ignored }) {
    const tables = await openKnown(database ?? '', KNOWN, ignored);
    return {
      async *accounts() {
        for await (const row of tables.rows('e_user_backend')) {
          const username = text(row.username) ?? '';
          if (SYSTEM.includes(username)) continue;
          yield usualAccount(row, { passwordHash: checkable(text(row.hashed_password)) });
        }
      },
      async *items() {
        const restriction = await restrictionOf(tables);
        for await (const row of tables.rows('e_image_backend')) {
          const item = await imageOf(tables, row, paths);
          yield item.kind === 'refused' ? item : { ...item, restriction };
        }
      },
      leftOut: () => tables.strangers,
      close: () => tables.close(),
    };
  },
};

/** What keeps strangers from all images: guests have a role, whose permissions the administrator chooses. */
async function restrictionOf(tables: KnownTables): Promise<string | null> {
  for await (const row of tables.rows('e_role_backend')) {
    const permissions: unknown = row.permissions;
    const list = Array.isArray(permissions) ? permissions : (text(row.permissions) ?? '').split(/[{},"]+/);
    if (text(row.name) === 'guest' && !list.includes('image-view'))
      return 'guests could not see images there';
  }
  return null;
}

/** An image: as it was uploaded, if that was kept, or as it was processed. */
async function imageOf(
  tables: KnownTables,
  row: Row,
  paths: Readonly<Record<string, string>>,
): Promise<SourceItem> {
  const id = text(row.id) ?? '';
  const key = `image ${id}`;
  const files = await tables.where('e_image_file_backend', 'image_id', id);
  const kept = ['original', 'master'].flatMap((variant) => files.filter((file) => file.variant === variant));
  const [file] = kept;
  if (file === undefined || !(file.data instanceof Buffer))
    return refused('image', key, 'its file is missing');
  const png = isQoi(file.data) ? pngOfQoi(file.data) : null;
  if (png === null && isQoi(file.data)) return refused('image', key, 'its file is damaged');
  const end = png !== null ? 'png' : (/[:/](\w+)$/.exec(text(file.filetype) ?? '')?.[1] ?? 'png');
  const address = addressBelow(paths.files ?? '', id);
  return {
    ...PLAIN,
    kind: 'image',
    key,
    owner: text(row.user_id),
    id,
    addresses: [address, ...FORMATS.map((format) => `${address}.${format}`)],
    pages: [addressBelow(paths.pages ?? '', id)],
    createdAt: moment(row.created) ?? Date.now(),
    expiresAt: moment(row.expires_at),
    rows: [row, ...kept],
    bytes: png ?? file.data,
    name: `${text(row.file_name) ?? 'image'}.${end}`,
    description: null,
    views: 0,
    maxViews: null,
  };
}
