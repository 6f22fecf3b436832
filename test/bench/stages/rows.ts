import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { P99_AIM, type Place, type Plan, type Stage } from '../case.js';
import { fill, idOf, type Letter } from '../fill.js';
import { type Holdall, startHoldall } from '../holdall.js';
import { load } from '../load.js';
import { shuffled, writePaths } from '../paths.js';
import { pinnedTo, SERVER_CORE } from '../processors.js';

const MAX_SELECTIVE = 1_000;
const MANY = 1_000_000;
const CONNECTIONS = 64;
/** Number of ids in a list. */
const DRAWN = 20_000;
/** The larger database may cost a tenth of the rate. */
const AIM = 0.9;

/** The requests, and how many different rows of the larger database they use. */
interface Task {
  readonly name: string;
  /** The path in front of an id. */
  readonly path: string;
  readonly letter: Letter;
  readonly distinct: number;
}

/**
 * Random rows of a large database are also more different rows than the server caches between commits. To
 * separate these effects, each case is also measured with no more different rows than the small database has.
 */
const TASKS: readonly Task[] = [
  { name: 'redirect, any', path: '/v1/url/r/', letter: 'U', distinct: MANY },
  { name: 'redirect, always the same 1,000', path: '/v1/url/r/', letter: 'U', distinct: MAX_SELECTIVE },
  { name: 'paste, any', path: '/v1/paste/get/', letter: 'P', distinct: MANY },
  { name: 'paste, always the same 1,000', path: '/v1/paste/get/', letter: 'P', distinct: MAX_SELECTIVE },
  { name: 'image information, any', path: '/v1/image/info/', letter: 'I', distinct: MANY },
  {
    name: 'image information, always the same 1,000',
    path: '/v1/image/info/',
    letter: 'I',
    distinct: MAX_SELECTIVE,
  },
];

/** The same server with 10^6 rows of each kind and with 10^3, requested by random ids. */
export async function rows({ folder, atEnd }: Place): Promise<Stage> {
  const start = async (count: number): Promise<Holdall> => {
    const dataDir = join(folder, `rows-${count}`);
    await fill(dataDir, count);
    const holdall = await startHoldall(dataDir, { wrap: pinnedTo(SERVER_CORE) });
    atEnd(() => holdall.server.stop());
    return holdall;
  };
  const [many, few] = [await start(MANY), await start(MAX_SELECTIVE)];

  const plan = ({ name, path, letter, distinct }: Task): Plan => ({
    name,
    prepare: async () => {
      const at = async ({ pid, server }: Holdall, numbers: readonly number[]) => {
        const drawn = Array.from({ length: DRAWN }, () => numbers[randomInt(numbers.length)] ?? 1);
        const paths = await writePaths(
          join(folder, `${name} ${pid}`),
          drawn.map((number) => `${path}${idOf(letter, number)}`),
        );
        return (seconds: number) =>
          load({ pid, url: server.origin, connections: CONNECTIONS, paths }, seconds);
      };
      const first = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
      return {
        subject: await at(many, shuffled(first(MANY)).slice(0, distinct)),
        references: [
          {
            label: '10^3 rows',
            contender: await at(few, first(MAX_SELECTIVE)),
            aims: { rate: AIM, p99: P99_AIM },
          },
        ],
      };
    },
  });
  return {
    plans: TASKS.map(plan),
    memory: async () => null,
    output: () => `${many.server.output()}${few.server.output()}`,
  };
}
