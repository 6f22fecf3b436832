import { P99_AIM, type Plan } from '../case.js';
import type { Holdall } from '../holdall.js';
import { load } from '../load.js';
import type { Other } from '../others.js';

const CONNECTIONS = 64;
const TEXT = 'All work and no play makes Jack a dull boy.\n'.repeat(93);

/** A public paste of 4 KB, compared with the same answer from memory. */
export const paste = (holdall: Holdall, bare: Other): Plan => ({
  name: 'paste, 4 KB',
  prepare: async () => {
    const url = `${holdall.base}/paste/get/${await holdall.paste(TEXT)}`;
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    await fetch(`${bare.origin}/keep`, { method: 'POST', body: await response.arrayBuffer() });
    return {
      subject: (seconds) => load({ pid: holdall.pid, url, connections: CONNECTIONS }, seconds),
      references: [
        {
          label: 'bare answer',
          contender: (seconds) =>
            load({ pid: bare.pid, url: `${bare.origin}/answer`, connections: CONNECTIONS }, seconds),
          aims: { rate: 0.5, p99: P99_AIM },
        },
      ],
    };
  },
});
