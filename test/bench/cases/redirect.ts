import { P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load } from '../load.js';
import type { Other } from '../others.js';

/** With more connections, more answers share each commit. */
const CONNECTIONS = [64, 128] as const;

/** Following a short link: each answer is counted exactly and durably. */
export const redirects = (holdall: Holdall, bare: Other): readonly Plan[] =>
  CONNECTIONS.map((connections) => redirect(holdall, bare, connections));

const redirect = (holdall: Holdall, bare: Other, connections: number): Plan => ({
  name: `redirect, ${connections} clients`,
  prepare: async () => {
    const id = await holdall.shorten('https://example.org/');
    const at = (pid: number, url: string) => (seconds: number) => load({ pid, url, connections }, seconds);
    return {
      subject: at(holdall.pid, `${holdall.base}/url/r/${id}`),
      references: [
        { label: 'bare 301', contender: at(bare.pid, `${bare.origin}/redirect`), aims: { rate: 0.5 } },
        {
          label: 'one fdatasync a batch',
          contender: at(bare.pid, `${bare.origin}/commit`),
          aims: { p99: P99_AIM },
        },
      ],
      visits: { counted: () => holdall.visits(id), connections },
    };
  },
});
