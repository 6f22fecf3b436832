import { capacity } from '../capacity.js';
import type { Contender, Place, Plan, Stage } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load, type Request } from '../load.js';
import { largeImage, makeSamples, variantsOf } from '../samples.js';
import { type Step, startSteps } from './scaling-steps.js';

/** One kind of request; `make` resolves with what is asked for. */
interface Task {
  readonly name: string;
  readonly connections: number;
  make(holdall: Holdall): Promise<{ readonly path: string; readonly json?: string }>;
}

const json = (value: unknown): string => JSON.stringify(value);

/**
 * The steps of docs/scaling.md beside each other, by what they cost: processor time of the servers, and of all that works
 * for them. What a mix of requests needs at each step comes below the table.
 */
export async function scaling(place: Place): Promise<Stage> {
  const samples = await makeSamples(place.folder);
  const small = (await variantsOf(samples.jpeg))(0);
  const large = await largeImage();
  const steps = await startSteps(place);

  const tasks: readonly Task[] = [
    {
      name: 'redirect',
      connections: 64,
      make: async (holdall) => ({ path: `/url/r/${await holdall.shorten('https://example.org/')}` }),
    },
    {
      name: 'image of 100 KB',
      connections: 32,
      make: async (holdall) => ({ path: `/image/get/${await holdall.upload(small, 'small.jpg')}` }),
    },
    {
      name: 'image of 5 MB',
      connections: 8,
      make: async (holdall) => ({ path: `/image/get/${await holdall.upload(large, 'large.png')}` }),
    },
    {
      name: 'paste',
      connections: 64,
      make: async (holdall) => ({ path: `/paste/get/${await holdall.paste('a line\n'.repeat(100))}` }),
    },
    {
      name: 'create a link',
      connections: 64,
      make: async () => ({ path: '/url/create', json: json({ url: 'https://example.org/' }) }),
    },
    {
      name: 'create a paste',
      connections: 64,
      make: async () => ({ path: '/paste/create', json: json({ text: 'a line\n'.repeat(100) }) }),
    },
  ];
  return {
    plans: tasks.map((task) => planOf(task, steps)),
    memory: async () => null,
    summary: (results) => capacity(results),
    output: () => steps.map(({ holdall }) => holdall.server.output()).join(''),
  };
}

const planOf = ({ name, connections, make }: Task, [first, ...later]: readonly [Step, ...Step[]]): Plan => ({
  name,
  prepare: async () => {
    const at = async (step: Step): Promise<Contender> => {
      const { holdall, origin, more, others } = step;
      const { path, json: posted } = await make(holdall);
      await holdall.settled();
      const request: Request = {
        pid: holdall.pid,
        more,
        others,
        url: `${origin}/v1${path}`,
        connections,
        ...(posted === undefined ? {} : { json: posted, apiKey: holdall.apiKey }),
      };
      return (seconds) => load(request, seconds);
    };
    const references = [];
    for (const step of later)
      references.push({ label: step.label, contender: await at(step), aims: {} as const });
    return { subject: await at(first), references };
  },
});
