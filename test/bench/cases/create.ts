import { LONG_WARM_UP_SECONDS, P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load } from '../load.js';
import type { Other } from '../others.js';

/** What clients create at once, and which share of the reference's rate is the aim. */
const CLIENTS = [
  { connections: 16, rate: 0.2 },
  { connections: 64, rate: 0.15 },
];

const BODIES = {
  paste: JSON.stringify({ text: `paste SEED COUNT\n${'All work and no play.\n'.repeat(20)}` }),
  url: JSON.stringify({ url: 'https://example.org/SEED/COUNT' }),
};

/** Pastes and links that are durable when they are acknowledged, against their JSON appended to a file. */
export const creates = (holdall: Holdall, bare: Other): Plan[] =>
  (['paste', 'url'] as const).flatMap((kind) =>
    CLIENTS.map(({ connections, rate }) => ({
      name: `create a ${kind === 'url' ? 'link' : kind}, ${connections} clients`,
      prepare: async () => {
        const at = (pid: number, url: string) => (seconds: number) =>
          load({ pid, url, connections, json: BODIES[kind], apiKey: holdall.apiKey }, seconds);
        return {
          warmUpSeconds: LONG_WARM_UP_SECONDS,
          subject: at(holdall.pid, `${holdall.base}/${kind}/create`),
          references: [
            {
              label: 'one fdatasync a batch',
              contender: at(bare.pid, `${bare.origin}/create`),
              aims: { rate, p99: P99_AIM },
            },
          ],
        };
      },
    })),
  );
