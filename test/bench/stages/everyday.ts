import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place, Stage } from '../case.js';
import { creates } from '../cases/create.js';
import { images } from '../cases/image.js';
import { paste } from '../cases/paste.js';
import { redirects } from '../cases/redirect.js';
import { thumbnails } from '../cases/thumbnails.js';
import { uploads } from '../cases/upload.js';
import { startHoldall } from '../holdall.js';
import { startNginx, startReference } from '../others.js';
import { residentMiB, watchMemory } from '../processes.js';
import { pinnedTo, SERVER_CORE } from '../processors.js';
import { makeSamples } from '../samples.js';

const IDLE_AIM_MIB = 120;
const IDLE_MS = 10_000;
/** How long after the last case its memory is looked at once more. */
const AFTER_MS = 30_000;

/** One Holdall process and the references, one at a time on the same processor. */
export async function everyday({ folder, atEnd }: Place): Promise<Stage> {
  const dataDir = join(folder, 'data');
  const started = performance.now();
  const holdall = await startHoldall(dataDir, { wrap: pinnedTo(SERVER_CORE) });
  atEnd(() => holdall.server.stop());
  const startMs = performance.now() - started;
  await delay(IDLE_MS);
  const idleMiB = residentMiB(holdall.pid);
  const peak = watchMemory(holdall.pid);
  atEnd(async () => peak());

  const blobs = join(dataDir, 'blobs');
  const received = join(folder, 'received');
  const bare = await startReference({ root: blobs, received, log: join(folder, 'commits') });
  atEnd(bare.stop);
  const nginx = await startNginx(join(folder, 'nginx'), blobs);
  atEnd(async () => nginx?.stop());
  const samples = await makeSamples(folder);

  return {
    // Uploads leave work behind that would affect the others.
    plans: [
      ...redirects(holdall, bare),
      paste(holdall, bare),
      ...images(holdall, { nginx, bare }, samples, folder),
      ...creates(holdall, bare),
      thumbnails(holdall, samples, { blobs, folder }),
      ...uploads(holdall, bare, samples),
    ],
    memory: async () => {
      const peakMiB = peak();
      await delay(AFTER_MS);
      return { startMs, idleMiB, idleAimMiB: IDLE_AIM_MIB, peakMiB, afterMiB: residentMiB(holdall.pid) };
    },
    output: holdall.server.output,
  };
}
