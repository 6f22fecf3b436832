/**
 * Own items in every order and filter are those that belong there, in that order, whether they are few and sorted or many and
 * found along an index, on both databases.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countItems } from '../../db/content/content-days.js';
import { countByMonths } from '../../db/content/counted.js';
import { imageById } from '../../db/content/file/image.js';
import { KINDS, type Kind } from '../../db/content/kinds.js';
import { ownItems } from '../../db/content/own/own-items.js';
import { neighboursOf } from '../../db/content/own/own-neighbours.js';
import type { Order } from '../../db/content/own/own-order.js';
import type { Visibility } from '../../db/content/visibility.js';
import type { Db } from '../../db/engine/connect.js';
import { DAY_MS } from '../../db/engine/days.js';
import { insertRows } from '../../db/engine/query.js';
import { databaseKinds } from '../support/stores/databases.js';

const EACH = 3_400;
const DAY = 20_000 * DAY_MS;
const TAG = 7;
const ORDERS: readonly Order[] = ['newest', 'oldest', 'name', 'size', 'views'];

interface Made {
  readonly kind: Kind;
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly hits: number;
  readonly at: number;
  readonly isPublic: boolean;
  readonly isProtected: boolean;
  readonly isTagged: boolean;
  readonly medium: 'image' | 'video' | null;
}

/** Items with equal names, sizes, views and times among them; few are private, protected, tagged or a video. */
const MADE: readonly Made[] = KINDS.flatMap((kind) =>
  Array.from({ length: EACH }, (_, index) => ({
    kind,
    id: index + 1,
    name: `${index % 3 === 0 ? 'B' : 'b'}ear-${(index * 31) % 1_000}`,
    size: kind === 'url' ? 0 : (index * 37) % 500,
    hits: kind === 'paste' || (kind === 'image' && index % 5 !== 0) ? 0 : (index * 17) % 100,
    at: DAY + ((index * 7_919) % 1_000) * (DAY_MS / 50),
    isPublic: index % 97 !== 3,
    isProtected: index % 89 === 5,
    isTagged: index % 50 === 2,
    medium: kind === 'image' ? (index % 80 === 9 ? ('video' as const) : ('image' as const)) : null,
  })),
);

async function fill(db: Db): Promise<void> {
  await db.write(async (trx) => {
    await trx('users').insert({
      ...{ id: 1, username: 'ada', username_key: 'ada', password_hash: '', created_at: 1, role: 'USER' },
      ...{ email: 'ada@example.net', email_key: 'ada@example.net', status: 'ACTIVE' },
    });
    await trx('tags').insert({ id: TAG, owner_id: 1, tag_key: 'few', name: 'few', items: 3 * (EACH / 50) });
    const shared = (made: Made) => ({
      ...{ id: made.id, unique_id: `${made.kind}-${made.id}`, lookup_id: `${made.kind}-${made.id}` },
      ...{ owner_id: 1, is_public: made.isPublic, password_hash: made.isProtected ? 'x' : null },
      ...{ shadowed: false, created_at: made.at },
    });
    const of = (kind: Kind) => MADE.filter((made) => made.kind === kind);
    const rows = {
      images: of('image').map((made) => ({
        ...shared(made),
        ...{ sha256: 'x', size: made.size, mime_type: 'x', type: 'x', media_kind: made.medium },
        ...{ source: 'API', location: 'LOCAL', original_name: made.name, views: made.hits, animated: false },
        ...{ max_views: made.id % 5 === 1 ? 1_000 : null, tagged: made.isTagged, revision: 1 },
      })),
      pastes: of('paste').map((made) => ({
        ...shared(made),
        ...{ title: made.name, content: 'x', size: made.size, burn: false },
      })),
      short_urls: of('url').map((made) => ({
        ...shared(made),
        ...{ original_url: made.name, visits: made.hits },
      })),
    };
    for (const [table, list] of Object.entries(rows)) await insertRows(trx, table, list, {}, ['id']);
    const tagged = MADE.filter(({ isTagged }) => isTagged);
    await insertRows(
      trx,
      'item_tags',
      tagged.map(({ kind, id }) => ({ tag_id: TAG, kind, item_id: id })),
      {},
      ['item_id'],
    );
    await countItems(
      trx,
      MADE.map(({ kind, at, isPublic, isProtected, size }) => ({
        ...{ kind, ownerId: 1, createdAt: at, format: '', bytes: size, open: isPublic && !isProtected },
      })),
    );
  });
}

const folded = ({ name }: Made) => name.toLowerCase();
const up = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
const idOf = ({ kind, id }: Made) => `${kind}-${id}`;
const newest = (a: Made, b: Made) => up(b.at, a.at);
const later = (a: Made, b: Made) => up(b.id, a.id);
const tied = ({ kind, at, id }: Made) => (kind === 'url' ? at : id);
const kinds = (a: Made, b: Made) => up(a.kind, b.kind);

/** What an order goes by, one after the other. */
const COMPARED: Readonly<Record<Order, readonly ((a: Made, b: Made) => number)[]>> = {
  newest: [newest, later, kinds],
  oldest: [(a, b) => newest(b, a), (a, b) => later(b, a), kinds],
  name: [(a, b) => up(folded(a), folded(b)), (a, b) => later(b, a), kinds],
  // Links have no size, and so the newest comes first.
  size: [(a, b) => up(b.size, a.size), (a, b) => up(tied(b), tied(a)), later, kinds],
  views: [(a, b) => up(b.hits, a.hits), newest, later, kinds],
  nameDown: [(a, b) => up(folded(b), folded(a)), later, kinds],
  viewsUp: [(a, b) => up(a.hits, b.hits), (a, b) => newest(b, a), (a, b) => later(b, a), kinds],
  id: [(a, b) => up(idOf(a), idOf(b)), kinds],
  idDown: [(a, b) => up(idOf(b), idOf(a)), kinds],
};

const inOrder = (made: readonly Made[], order: Order) =>
  made.toSorted((a, b) => COMPARED[order].map((compare) => compare(a, b)).find((by) => by !== 0) ?? 0);

const VISIBLE: Readonly<Record<Visibility, (made: Made) => boolean>> = {
  public: ({ isPublic, isProtected }) => isPublic && !isProtected,
  private: ({ isPublic }) => !isPublic,
  protected: ({ isProtected }) => isProtected,
};

const FROM = DAY + 3 * DAY_MS + 5;
const FILTERS: readonly {
  readonly given: Partial<Parameters<typeof ownItems>[2]>;
  readonly has: (made: Made) => boolean;
}[] = [
  { given: {}, has: () => true },
  { given: { kinds: ['image'] }, has: ({ kind }) => kind === 'image' },
  { given: { medium: 'video' }, has: ({ medium }) => medium === 'video' },
  {
    given: { kinds: ['image'], medium: 'video', visibility: 'private' },
    has: ({ medium, isPublic }) => medium === 'video' && !isPublic,
  },
  { given: { tagId: TAG }, has: ({ isTagged }) => isTagged },
  { given: { from: FROM, to: FROM + DAY_MS }, has: ({ at }) => at >= FROM && at < FROM + DAY_MS },
  ...(['public', 'private', 'protected'] as const).flatMap((visibility) => [
    { given: { visibility }, has: VISIBLE[visibility] },
    {
      given: { visibility, from: FROM },
      has: (made: Made) => VISIBLE[visibility](made) && made.at >= FROM,
    },
  ]),
];

for (const { name, makeMigrated } of databaseKinds()) {
  const test = suite<{ db: Db; remove: () => Promise<void> }>(`orders of own items: ${name}`);
  test.before(async (world) => {
    const database = await makeMigrated();
    world.remove = () => database.remove();
    world.db = await database.open();
    await fill(world.db);
  });
  test.after((world) => world.remove());

  for (const { given, has } of FILTERS)
    test(`filter ${JSON.stringify(given)}`, async ({ db }) => {
      for (const sort of ORDERS) {
        const expected = inOrder(MADE.filter(has), sort).map(({ kind, id }) => `${kind}-${id}`);
        for (const offset of [0, 130]) {
          const page = await ownItems(db, 1, { ...given, sort }, { limit: 40, offset });
          assert.equal(
            [page.total, page.items.map(({ uniqueId }) => uniqueId)],
            [expected.length, expected.slice(offset, offset + 40)],
            sort,
          );
        }
      }
    });

  test('months say how many came in each, the newest first', async ({ db }) => {
    const expected = new Map<string, number>();
    for (const { at } of MADE.filter(({ kind }) => kind === 'image').toSorted((a, b) => b.at - a.at)) {
      const month = new Date(at).toISOString().slice(0, 7);
      expected.set(month, (expected.get(month) ?? 0) + 1);
    }
    assert.equal(
      await countByMonths(db, { kind: 'image', ownerId: 1 }),
      [...expected].map(([month, items]) => ({ month, items })),
    );
  });

  test('neighbours are those of the list, in every order and filter', async ({ db }) => {
    for (const sort of ['newest', 'oldest', 'name', 'size'] as const)
      for (const visibility of [null, 'public', 'private', 'protected'] as const)
        for (const [medium, tagId] of [
          [null, null],
          ['video', null],
          [null, TAG],
        ] as const) {
          const images = MADE.filter(
            (made) =>
              made.kind === 'image' &&
              (tagId === null || made.isTagged) &&
              (visibility === null || VISIBLE[visibility](made)) &&
              (medium === null || made.medium === medium),
          );
          const ids = inOrder(images, sort).map(({ id }) => id);
          for (const index of new Set([0, ids.length >> 1, ids.length - 1])) {
            const image = await imageById(db.read, ids[index] ?? 0);
            if (image === null) continue;
            const { before, after } = await neighboursOf(db, image, {
              ...{ sort, visibility, medium, matches: null, favourite: false, tagId },
            });
            assert.equal(
              [before.items[0]?.id, after.items[0]?.id, before.total, after.total],
              [ids[index - 1], ids[index + 1], index, ids.length - 1 - index],
              `${sort} ${visibility} ${medium} ${tagId} ${index}`,
            );
          }
        }
  });

  test.run();
}
