import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Aims, Place, Plan, Stage } from '../case.js';
import { type Holdall, startHoldall } from '../holdall.js';
import { load } from '../load.js';
import { pinnedTo, TWO_CORES } from '../processors.js';
import { makeSamples, variantsOf } from '../samples.js';

const CONNECTIONS = 64;

/** The target for two processes on two processors. */
const GAIN = 1.6;
/** With fewer the load generator shares them, and only the CPU time per request can be compared. */
const canJudgeRates = availableParallelism() >= 4;
const aims: Aims = canJudgeRates ? { rate: GAIN } : { processor: GAIN / 2 };

/** `WORKERS=2` compared with `WORKERS=1` on the same two processors. */
export async function workers({ folder, atEnd }: Place): Promise<Stage> {
  const start = async (count: number): Promise<Holdall> => {
    const dataDir = join(folder, `workers-${count}`);
    const holdall = await startHoldall(dataDir, { wrap: pinnedTo(...TWO_CORES), workers: count });
    atEnd(() => holdall.server.stop());
    return holdall;
  };
  const [two, one] = [await start(2), await start(1)];
  const image = (await variantsOf((await makeSamples(folder)).jpeg))(0);

  const plan = (name: string, make: (holdall: Holdall) => Promise<string>): Plan => ({
    name,
    prepare: async () => {
      const at = async (holdall: Holdall) => {
        const url = `${holdall.base}${await make(holdall)}`;
        await holdall.settled();
        return (seconds: number) => load({ pid: holdall.pid, url, connections: CONNECTIONS }, seconds);
      };
      return {
        subject: await at(two),
        references: [{ label: 'one process', contender: await at(one), aims }],
        crowded: !canJudgeRates,
      };
    },
  });
  return {
    plans: [
      plan(
        'redirect, 2 workers',
        async (holdall) => `/url/r/${await holdall.shorten('https://example.org/')}`,
      ),
      plan('image, 2 workers', async (holdall) => `/image/get/${await holdall.upload(image, 'small.jpg')}`),
    ],
    memory: async () => null,
    output: () => `${two.server.output()}${one.server.output()}`,
  };
}
