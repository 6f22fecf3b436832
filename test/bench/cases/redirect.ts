import { P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load } from '../load.js';
import type { Other } from '../others.js';

/** With more connections, more answers share each commit. */
const CONNECTIONS = [64, 128] as const;

/** What deciding among rules may cost: the processor time of a redirect without any, divided by that with rules. */
const RULES_AIM = 0.95;
const MOST_RULES = 20;

/** Following a short link: each answer is counted exactly and durably. */
export const redirects = (holdall: Holdall, bare: Other): readonly Plan[] => [
  ...CONNECTIONS.map((connections) => redirect(holdall, bare, connections)),
  withRules(holdall),
];

/** As many rules as a link can have, all of which are looked at because none fits, compared with none. */
const withRules = (holdall: Holdall): Plan => ({
  name: `redirect with ${MOST_RULES} rules`,
  prepare: async () => {
    const [connections] = CONNECTIONS;
    const rules = Array.from({ length: MOST_RULES }, (_, index) => ({
      when: { device: ['desktop', 'mobile'], query: { step: String(index) } },
      url: `https://example.org/${index}`,
    }));
    const id = await holdall.shorten('https://example.org/', { rules });
    const plain = await holdall.shorten('https://example.org/');
    const to = (link: string) => (seconds: number) =>
      load({ pid: holdall.pid, url: `${holdall.base}/url/r/${link}?step=none`, connections }, seconds);
    return {
      subject: to(id),
      references: [{ label: 'without rules', contender: to(plain), aims: { processor: RULES_AIM } }],
      visits: { counted: () => holdall.visits(id), connections },
    };
  },
});

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
