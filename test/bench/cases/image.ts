import { join } from 'node:path';
import { mapLimit } from '../../../routers/base/map-limit.js';
import { type Contender, P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load } from '../load.js';
import type { Other } from '../others.js';
import { shuffled, writePaths } from '../paths.js';
import { largeImage, type Samples, variantsOf } from '../samples.js';

const UPLOADS_AT_ONCE = 16;

/** The reference that serves the files: nginx, or a node:http stream if that is not installed. */
interface FileServers {
  readonly nginx: Other | null;
  readonly bare: Other;
}

interface Kind {
  readonly name: string;
  readonly filename: string;
  /** How many images are requested in turn. */
  readonly count: number;
  readonly connections: number;
  readonly aim: number;
  /** Makes the bytes of all of them, by number. */
  make(): Promise<(number: number) => Buffer | Promise<Buffer>>;
}

/**
 * Images, compared with nginx on the very same files. Hot is one image. Cold is more than the server caches
 * in memory (96 MiB), requested cyclically in random order: each comes again only after all others.
 */
export function images(holdall: Holdall, servers: FileServers, samples: Samples, folder: string): Plan[] {
  const small = { filename: 'small.jpg', connections: 32, make: () => variantsOf(samples.jpeg) };
  const large = { filename: 'large.png', connections: 8, make: async () => largeImage };
  const all: readonly Kind[] = [
    { ...small, name: 'image, 100 KB hot', count: 1, aim: 0.9 },
    { ...small, name: 'image, 100 KB cold', count: 1_600, aim: 0.45 },
    { ...large, name: 'image, 5 MB hot', count: 1, aim: 0.9 },
    { ...large, name: 'image, 5 MB cold', count: 40, aim: 0.6 },
  ];
  return all.map((kind) => plan(holdall, servers, kind, folder));
}

function plan(holdall: Holdall, { nginx, bare }: FileServers, kind: Kind, folder: string): Plan {
  const { name, filename, count, connections, aim, make } = kind;
  return {
    name,
    prepare: async () => {
      const image = await make();
      const numbers = shuffled(Array.from({ length: count }, (_, number) => number));
      const ids = await mapLimit(UPLOADS_AT_ONCE, numbers, async (number) =>
        holdall.upload(await image(number), filename),
      );
      const files = await mapLimit(UPLOADS_AT_ONCE, ids, holdall.blobPath);
      await holdall.settled();

      const at = async (
        server: Pick<Other, 'pid' | 'origin'>,
        paths: readonly string[],
      ): Promise<Contender> => {
        const { pid, origin } = server;
        const [only] = paths;
        const request =
          paths.length === 1
            ? { pid, url: `${origin}${only}`, connections }
            : {
                pid,
                url: origin,
                connections,
                paths: await writePaths(join(folder, `${name} ${pid}`), paths),
              };
        return (seconds) => load(request, seconds);
      };
      return {
        subject: await at(
          { pid: holdall.pid, origin: holdall.server.origin },
          ids.map((id) => `/v1/image/get/${id}`),
        ),
        references: [
          nginx === null
            ? { label: 'bare stream', contender: await at(bare, files), aims: {} }
            : { label: 'nginx', contender: await at(nginx, files), aims: { rate: aim, p99: P99_AIM } },
        ],
      };
    },
  };
}
