import { mapLimit } from '../../../routers/base/map-limit.js';
import { Client } from '../clients/client.js';
import type { Place } from '../servers/place.js';
import { during, type Noticed, newAccount, others, peakOf } from './stalls.js';

/** What one import takes, and one item of tags. */
const LINKS_OF_IMPORT = 3_000;
const TAGS = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
const ITEMS_OF_CHANGE = 100;

/** How much an account has. */
export interface Possession {
  /** Imported, each with as many tags as it may have. */
  readonly links: number;
  readonly files: number;
}

/** What others noticed during a step, and what its requests were answered with. */
export interface NoticedStep extends Noticed {
  readonly statuses: readonly number[];
}

/**
 * An account gets as much as its limits allow, lists, changes and exports all of it, and is deleted, while another asks for
 * small things. `noticed` is called after each step.
 */
export async function fillAndDelete(
  place: Place,
  { links, files }: Possession,
  noticed: (result: NoticedStep) => void,
): Promise<void> {
  const server = await place.start({ env: { LOG_LEVEL: 'silent', RATE_LIMIT: 'off', TRASH_DAYS: '7' } });
  const owner = place.clientOf(server);
  const { key, password } = await newAccount(owner, 'collector');
  const collector = new Client(server.origin, key);
  const { uniqueId: small } = await owner.json('POST', '/url/create', { url: 'https://example.org/' });
  const probe = others(owner, small);
  const step = async (name: string, work: () => Promise<readonly number[]>): Promise<void> => {
    let statuses: readonly number[] = [];
    const probes = await during(
      probe,
      work().then((given) => {
        statuses = given;
      }),
    );
    noticed({ name, probes, peakMib: await peakOf(server), statuses });
  };
  const ask = async (method: string, path: string, body?: object): Promise<readonly number[]> => {
    const { status } = await collector.send(
      method,
      path,
      ...(body === undefined ? [] : ['application/json', JSON.stringify(body)]),
    );
    return [status];
  };

  await step(`import of ${links} links with ${TAGS.length} tags`, async () => {
    const statuses: number[] = [];
    for (let from = 0; from < links; from += LINKS_OF_IMPORT) {
      const some = Array.from({ length: Math.min(LINKS_OF_IMPORT, links - from) }, (_, index) => ({
        ...{ url: `https://example.org/${from + index}`, tags: TAGS, note: `note ${index}` },
      }));
      statuses.push(...(await ask('POST', '/url/import?format=json', some as unknown as object)));
    }
    return statuses;
  });
  const ids: string[] = [];
  await step(`upload of ${files} files`, async () => {
    await mapLimit(8, [...Array(files).keys()], async (index) => {
      ids.push((await collector.upload(Buffer.from(`text ${index}`), { name: `${index}.txt` })).uniqueId);
    });
    return [];
  });
  const { message } = await collector.json('POST', '/collection', {
    ...{ title: 'all', tags: TAGS, items: ids.map((uniqueId) => ({ uniqueId })) },
  });
  const change = (more: object) => async () => {
    const statuses: number[] = [];
    for (let from = 0; from < ids.length; from += ITEMS_OF_CHANGE) {
      const input = { kind: 'image', ids: ids.slice(from, from + ITEMS_OF_CHANGE), ...more };
      const answer = await fetch(`${server.origin}/trpc/library.changeMany`, {
        ...{ method: 'POST', body: JSON.stringify(input) },
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
      });
      statuses.push(answer.status);
    }
    return statuses;
  };
  for (const tag of TAGS.slice(0, 3)) await step(`tag of ${files} files`, change({ tag }));
  await step(`${files} files made private`, change({ private: true }));
  const last = Math.floor((links + files) / 100) - 1;
  for (const path of [
    ...['/user/get/@me/tags', '/user/get/@me/items?pageSize=100', '/user/get/@me/items?search=note'],
    ...['name', 'size', 'views'].map((sort) => `/user/get/@me/items?pageSize=100&page=${last}&sort=${sort}`),
    ...['/url/export?format=csv', '/url/export?format=json', '/user/get/@me/items?tag=tag%201&page=50'],
  ])
    await step(`GET ${path}`, () => ask('GET', path));
  await step('a tag of everything gets another name', () =>
    ask('PATCH', `/user/get/@me/tags/${encodeURIComponent('tag 1')}`, { name: 'another' }),
  );
  await step('two tags of everything become one', () =>
    ask('PATCH', `/user/get/@me/tags/${encodeURIComponent('tag 2')}`, { name: 'tag 3' }),
  );
  await step('a tag of everything is removed', () =>
    ask('DELETE', `/user/get/@me/tags/${encodeURIComponent('tag 4')}`),
  );
  await step(`a collection of ${files} goes into the trash`, () =>
    ask('DELETE', `/collection/${message.uniqueId}`),
  );
  await step('and comes back', () =>
    ask('POST', `/user/get/@me/trash/collection/${message.uniqueId}/restore`),
  );
  await step(`${files} files go into the trash`, async () => {
    const statuses: number[] = [];
    await mapLimit(8, ids, async (id) => {
      statuses.push(...(await ask('DELETE', `/image/get/${id}`)));
    });
    return statuses;
  });
  await step('GET the trash', () => ask('GET', `/user/get/@me/trash?pageSize=100&page=${files / 200}`));
  await step(`half of ${files} files are restored`, async () => {
    const statuses: number[] = [];
    await mapLimit(8, ids.slice(0, files / 2), async (id) => {
      statuses.push(...(await ask('POST', `/user/get/@me/trash/image/${id}/restore`)));
    });
    return statuses;
  });
  await step('the trash is emptied', () => ask('DELETE', '/user/get/@me/trash'));
  await step('the account is deleted', () => ask('DELETE', '/user/get/@me', { password }));
  collector.close();
  if ((await server.stop()) !== 0) throw new Error(`the server ended badly:\n${server.output()}`);
}
