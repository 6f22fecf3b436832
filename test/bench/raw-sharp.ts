/**
 * Thumbnails with sharp and nothing around it, in a process of its own: what the server's decoder does with the
 * same files, in the same number at once. Its settings are one JSON argument; it prints the `Run` as JSON.
 */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { timed } from './timed.js';

/** What is to be made of which files. */
export interface RawSharpSettings {
  /** A file with the path of one JPEG a line. */
  readonly list: string;
  /** Where the thumbnails go, one over the other. */
  readonly target: string;
  readonly width: number;
  readonly atOnce: number;
}

const { list, target, width, atOnce } = JSON.parse(process.argv[2] ?? '{}') as RawSharpSettings;
const files = (await readFile(list, 'utf8')).trim().split('\n');

sharp.concurrency(1);
sharp.cache(false);

async function thumbnail(file: string): Promise<void> {
  const bytes = await sharp(file)
    .autoOrient()
    .resize({ width, height: 16_383, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 82, progressive: true })
    .toBuffer();
  await writeFile(target, bytes);
}

for (const file of files.slice(0, atOnce)) await thumbnail(file);
const before = process.cpuUsage();
const measured = await timed(atOnce, files, thumbnail);
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({ ...measured, clientBusy: null, processorUs: (user + system) / measured.requests }),
);
