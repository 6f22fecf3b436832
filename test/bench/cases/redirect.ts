import { P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load } from '../load.js';
import type { Other } from '../others.js';

const CONNECTIONS = 64;

/** Following a short link: each answer is counted exactly and durably. */
export const redirect = (holdall: Holdall, bare: Other): Plan => ({
  name: 'redirect, counted',
  prepare: async () => {
    const id = await holdall.shorten('https://example.org/');
    const at = (pid: number, url: string) => (seconds: number) =>
      load({ pid, url, connections: CONNECTIONS }, seconds);
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
      visits: { counted: () => holdall.visits(id), connections: CONNECTIONS },
    };
  },
});
