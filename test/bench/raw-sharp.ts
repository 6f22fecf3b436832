/**
 * Thumbnails with sharp alone, in a separate process: the same work as the server's decoder on the same
 * files, with the same concurrency. Its settings are one JSON argument; it prints the `Run` as JSON.
 */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { timed } from './timed.js';

/** The thumbnails to make, and their files. */
export interface RawSharpSettings {
  /** A file with the path of one JPEG per line. */
  readonly list: string;
  /** Where the thumbnails are written, each over the previous one. */
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
