import { addressBelow, PLAIN, type Product, type SourceItem } from '../port.js';
import { moment, openTables, type Row, type Tables, text } from '../tables/index.js';
import { checkable } from './hashes.js';
import { isQoi, pngOfQoi } from './qoi.js';

/** Formats in which Picsur offers each of its images: what is asked for in any of them is given as it is. */
const FORMATS = ['jpg', 'jpeg', 'png', 'webp', 'gif', 'tiff', 'bmp', 'avif', 'heif', 'qoi'];
/** Accounts of its own, which nobody signs in to. */
const SYSTEM = ['guest', 'root'];

/** Picsur: its PostgreSQL database, which has the images as well. */
export const picsur: Product = {
  needs: { database: true, files: false },
  paths: { files: '/i', pages: '/view' },
  async open({ database, paths }) {
    const tables = await openTables(database ?? '');
    return {
      async *accounts() {
        for await (const row of tables.rows('e_user_backend')) {
          const username = text(row.username) ?? '';
          if (SYSTEM.includes(username)) continue;
          yield {
            key: text(row.id) ?? '',
            username,
            email: null,
            passwordHash: checkable(text(row.hashed_password)),
            createdAt: Date.now(),
            isBanned: false,
          };
        }
      },
      async *items() {
        for await (const row of tables.rows('e_image_backend')) yield await imageOf(tables, row, paths);
      },
      close: () => tables.close(),
    };
  },
};

/** An image: as it was uploaded, if that was kept, or as it was processed. */
async function imageOf(
  tables: Tables,
  row: Row,
  paths: Readonly<Record<string, string>>,
): Promise<SourceItem> {
  const id = text(row.id) ?? '';
  const key = `image ${id}`;
  const files = await tables.where('e_image_file_backend', 'image_id', id);
  const kept = ['original', 'master'].flatMap((variant) => files.filter((file) => file.variant === variant));
  const [file] = kept;
  if (file === undefined || !(file.data instanceof Buffer))
    return { kind: 'refused', key, reason: 'its file is missing' };
  const png = isQoi(file.data) ? pngOfQoi(file.data) : null;
  if (png === null && isQoi(file.data)) return { kind: 'refused', key, reason: 'its file is damaged' };
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
    bytes: png ?? file.data,
    name: `${text(row.file_name) ?? 'image'}.${end}`,
    description: null,
    views: 0,
    maxViews: null,
  };
}
