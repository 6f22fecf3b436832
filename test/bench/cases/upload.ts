import { type Contender, LONG_WARM_UP_SECONDS, P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load, type UploadBody } from '../load.js';
import type { Other } from '../others.js';
import type { Samples } from '../samples.js';

const CONNECTIONS = 16;

/** Uploads of new files: received, hashed, stripped of metadata, durable, in the database. */
export function uploads(holdall: Holdall, bare: Other, samples: Samples): Plan[] {
  const plan = (name: string, upload: UploadBody): Plan => ({
    name,
    prepare: async () => {
      const at =
        (pid: number, url: string): Contender =>
        (seconds) =>
          load({ pid, url, upload, connections: CONNECTIONS, apiKey: holdall.apiKey }, seconds);
      const frozen = (contender: Contender) => whileFrozen(holdall.pid, contender);
      await holdall.settled();
      return {
        warmUpSeconds: LONG_WARM_UP_SECONDS,
        subject: at(holdall.pid, `${holdall.base}/image/upload`),
        references: [
          {
            label: 'write + fsync + rename',
            contender: frozen(at(bare.pid, `${bare.origin}/receive`)),
            aims: { rate: 0.6 },
          },
          {
            label: 'one fdatasync a batch',
            contender: frozen(at(bare.pid, `${bare.origin}/commit`)),
            aims: { p99: P99_AIM },
          },
        ],
      };
    },
  });
  return [plan('upload, 100 KB file', samples.binary), plan('upload, 100 KB JPEG', samples.jpeg)];
}

/** After uploads Holdall runs jobs; they must not use processor time of the reference. */
function whileFrozen(pid: number, contender: Contender): Contender {
  return async (seconds) => {
    const thaw = () => process.kill(pid, 'SIGCONT');
    // An interrupted bench must not leave a frozen process behind.
    process.once('exit', thaw);
    process.kill(pid, 'SIGSTOP');
    try {
      return await contender(seconds);
    } finally {
      process.off('exit', thaw);
      thaw();
    }
  };
}
