import { type BlobHolder, holdersOf } from '../../db/blob-holder.js';
import type { Db } from '../../db/connect.js';
import { blobFile } from './keys.js';

/** Files that are named, and items that all of them together are. */
const NAMED = { files: 20, items: 100 } as const;

/** Names files that are missing or damaged, whose items need them, and the way out; a line for each file. */
export async function describeLost(db: Db, hashes: readonly string[]): Promise<string> {
  const named = hashes.slice(0, NAMED.files);
  const holders = await holdersOf(db, named, NAMED.items);
  const lines = named.map((sha256) => {
    const items = holders.filter((holder) => holder.sha256 === sha256).map(wordsOf);
    return `  ${blobFile('blobs', sha256)}  ${items.join(', ')}`.trimEnd();
  });
  if (hashes.length > named.length) lines.push(`  and ${hashes.length - named.length} more`);
  lines.push('  copy each from a backup to its place, or delete these items');
  return lines.join('\n');
}

const wordsOf = ({ kind, id, owner }: BlobHolder): string => `${kind} ${id} of ${owner ?? 'nobody'}`;
