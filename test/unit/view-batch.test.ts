/** What views that are gathered in memory take there, and what becomes of them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PREFETCH } from '../../routers/features/stats/agents.js';
import { ViewBatch } from '../../routers/features/stats/view-batch.js';

const DAY = 86_400_000;
const firefox = { browser: 'Firefox', system: 'Linux', bot: false };
const chrome = { browser: 'Chrome', system: 'Windows', bot: false };

const test = suite('a batch of views');
const all = (batch: ViewBatch, size = 1_000) => [...batch.parts(size)];

test('adds up what has the same item and traits, of large row ids, too', () => {
  const batch = new ViewBatch(20_000 * DAY + 5);
  const id = 2_000_000_000;
  for (const [agent, host, country, views] of [
    [firefox, 'a.example', 'CZ', 1],
    [firefox, 'a.example', 'ZZ', 2],
    [firefox, '', 'AA', 1],
    [chrome, 'a.example', null, 1],
    [PREFETCH, '', null, 1],
  ] as const)
    batch.add('image', id, agent, host, country, views);
  batch.add('url', 7, firefox, '', null, 4);
  const item = { kind: 'image', itemId: id, day: 20_000 } as const;
  const of = (agent: typeof firefox, referrerHost: string, views: number) => ({
    ...item,
    bot: agent.bot,
    traits: { browser: agent.browser, system: agent.system, referrerHost },
    views,
  });
  assert.equal(all(batch), [
    {
      views: [
        of(firefox, 'a.example', 3),
        of(firefox, '', 1),
        of(chrome, 'a.example', 1),
        of(PREFETCH, '', 1),
        { kind: 'url', itemId: 7, day: 20_000, bot: false, traits: null, views: 4 },
      ],
      countries: [
        { ...item, country: 'AA', views: 1 },
        { ...item, country: 'CZ', views: 1 },
        { ...item, country: 'ZZ', views: 2 },
      ],
    },
  ]);
  assert.is(batch.ends, 20_001 * DAY);
});

test('is stored in parts of a limited size', () => {
  const batch = new ViewBatch(0);
  for (let id = 1; id <= 25; id += 1) batch.add('paste', id, firefox, '', 'DE', 1);
  assert.equal(
    all(batch, 10).map(({ views, countries }) => [views.length, countries.length]),
    [
      [10, 0],
      [10, 0],
      [5, 5],
      [0, 10],
      [0, 10],
    ],
  );
});

test('has a limit: views of more items are lost, those of known ones are not', () => {
  const batch = new ViewBatch(0);
  for (let id = 1; id <= 30_000; id += 1) batch.add('image', id, firefox, '', null, 1);
  assert.equal([batch.size, batch.lost], [20_000, 10_000]);
  batch.add('image', 1, firefox, '', null, 5);
  assert.equal([batch.size, batch.lost], [20_000, 10_000]);
  assert.is(all(batch)[0]?.views[0]?.views, 6);
});

test('names so many referrers, of all items together and of each', () => {
  const batch = new ViewBatch(0);
  for (let id = 1; id <= 10_000; id += 1) batch.add('image', id, firefox, `h${id}.example`, null, 1);
  const hosts = all(batch, 100_000).flatMap(({ views }) => views.map(({ traits }) => traits?.referrerHost));
  assert.is(hosts.length, 10_000);
  assert.is(hosts.filter((host) => host === '*').length, 10_000 - 4_096);
  const one = new ViewBatch(0);
  for (let n = 0; n < 80; n += 1) one.add('image', 1, firefox, `h${n}.example`, null, 1);
  const named = all(one).flatMap(({ views }) => views.map(({ traits }) => traits?.referrerHost));
  assert.is(named.filter((host) => host === '*').length, 30);
});

test.run();
