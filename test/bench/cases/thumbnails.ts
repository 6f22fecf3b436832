import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { mapLimit } from '../../../routers/base/map-limit.js';
import { type Contender, LONG_WARM_UP_SECONDS, P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { observe, type Run } from '../load.js';
import { pinnedSource } from '../others.js';
import { writePaths } from '../paths.js';
import type { RawSharpSettings } from '../raw-sharp.js';
import { type Samples, variantsOf } from '../samples.js';
import { timed } from '../timed.js';

/** A step of the ladder, so that the server does not round it. */
const WIDTH = 320;
const AT_ONCE = 8;
/**
 * A rendition is made once: a run takes this many new images for each of its seconds, however long that
 * takes.
 */
const PER_SECOND = 40;

interface Folders {
  readonly blobs: string;
  readonly folder: string;
}

/** First-time renditions of two-megapixel JPEGs, compared with sharp alone on the same stored files. */
export const thumbnails = (holdall: Holdall, samples: Samples, { blobs, folder }: Folders): Plan => ({
  name: 'thumbnail, 2 megapixels',
  prepare: async ({ seconds, rounds }) => {
    const image = await variantsOf(samples.photograph);
    const count = 1 + PER_SECOND * (LONG_WARM_UP_SECONDS + seconds * rounds);
    const ids = await mapLimit(
      16,
      Array.from({ length: count }, (_, number) => number),
      (number) => holdall.upload(image(number), 'photograph.jpg'),
    );
    const files = (await mapLimit(16, ids, holdall.blobPath)).map((path) => join(blobs, path));
    await holdall.settled();

    const ask = async (id: string): Promise<Buffer> => {
      const response = await fetch(`${holdall.base}/image/get/${id}?width=${WIDTH}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok) throw new Error(`rendition of ${id}: ${response.status} ${bytes}`);
      return bytes;
    };
    const target = join(folder, 'thumbnail.jpg');
    const raw = async (paths: readonly string[]): Promise<Run> => {
      const { file } = await writePaths(join(folder, 'photographs'), paths);
      return rawSharp({ list: file, target, width: WIDTH, atOnce: AT_ONCE });
    };

    const [firstFile = ''] = files.splice(0, 1);
    const [firstId = ''] = ids.splice(0, 1);
    await raw([firstFile]);
    if (!(await readFile(target)).equals(await ask(firstId)))
      throw new Error('raw-sharp.ts makes other bytes of an image than the server');

    return {
      warmUpSeconds: LONG_WARM_UP_SECONDS,
      subject: inTurn(ids, (some) => observe([holdall.pid], [], () => timed(AT_ONCE, some, ask))),
      references: [{ label: 'raw sharp', contender: inTurn(files, raw), aims: { rate: 0.85, p99: P99_AIM } }],
    };
  },
});

/** Uses new items for each run. */
function inTurn(items: readonly string[], run: (some: readonly string[]) => Promise<Run>): Contender {
  let next = 0;
  return (seconds) => {
    const some = items.slice(next, next + PER_SECOND * seconds);
    next += some.length;
    return run(some);
  };
}

async function rawSharp(settings: RawSharpSettings): Promise<Run> {
  const child = pinnedSource('raw-sharp.ts', JSON.stringify(settings));
  const ended = once(child, 'exit');
  const shown = child.stdout === null ? null : await json(child.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`raw-sharp.ts ended with ${code}`);
  return shown as Run;
}
