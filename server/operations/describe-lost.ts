import { type BlobHolder, blobHolders } from '../../db/content/file/blob-holder.js';
import type { Db } from '../../db/engine/connect.js';
import { blobFile, blobKey } from '../drivers/storage/keys.js';
import type { Config } from '../runtime/config/config.js';

/** Maximum number of files that are listed, and of items over all of them. */
const NAMED = { files: 20, items: 100 } as const;

/** Lists missing or damaged files, the items that need them, and what to do; one line per file. */
export async function describeLost(
  db: Db,
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  hashes: readonly string[],
): Promise<string> {
  const named = hashes.slice(0, NAMED.files);
  const holders = await blobHolders(db, named, NAMED.items);
  const lines = named.map((sha256) => {
    const items = holders.filter((holder) => holder.sha256 === sha256).map(wordsOf);
    const place = s3 === null ? blobFile('blobs', sha256) : blobKey(sha256);
    return `  ${place}  ${items.join(', ')}`.trimEnd();
  });
  if (hashes.length > named.length) lines.push(`  and ${hashes.length - named.length} more`);
  const copy =
    s3 === null
      ? `copy each file from the same place in a backup into ${dataDir}`
      : `copy each file to this key of the bucket ${s3.bucket} (a backup has it in blobs/ab/, where ab are its first two characters)`;
  lines.push(`  ${copy}, or delete these items`);
  return lines.join('\n');
}

const wordsOf = ({ kind, id, owner }: BlobHolder): string => `${kind} ${id} of ${owner ?? 'nobody'}`;
