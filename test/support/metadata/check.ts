import { readFile } from 'node:fs/promises';
import * as assert from 'uvu/assert';
import {
  type Media,
  MediaUnsupported,
  type MetadataPolicy,
} from '../../../routers/base/ports/media/media.js';
import type { mediaFolder } from '../media/media-fixtures.js';
import type { Row } from './row.js';
import { found, type Telltale } from './telltales.js';

/** Files and checksums are made once for all policies, because tools take long to start. */
const made = new WeakMap<Row, Promise<Buffer | null>>();
const before = new WeakMap<Row, Promise<string | null>>();

function once<T>(results: WeakMap<Row, Promise<T>>, row: Row, work: () => Promise<T>): Promise<T> {
  const result = results.get(row) ?? work();
  results.set(row, result);
  return result;
}

const ALL: readonly Telltale[] = ['place', 'device', 'person', 'date'];

/** Cleans the file of a row and checks what must be gone, what must be the same, and that a second time changes nothing. */
export async function checkRow(
  row: Row,
  policy: MetadataPolicy,
  media: Media,
  folder: Awaited<ReturnType<typeof mediaFolder>>,
): Promise<void> {
  const original = await once(made, row, async () => row.make());
  if (original === null) return;
  const planted = found(original);
  assert.ok(planted.length > 0, 'nothing is planted');
  const path = await folder.put(original, row.extension);
  const facts = await media.probe(path);
  assert.is(facts.extension, row.extension);
  if (policy === 'keep')
    return assert.equal(await media.clean(path, facts, policy), { path: null, metadata: 'kept' });

  const gone = policy === 'strip' ? (row.strip ?? ALL) : (row.location ?? ['place']);
  const cleaned = await cleanOrRefuse(media, path, facts, policy, row);
  if (cleaned === 'refused') return;
  const bytes = await readFile(cleaned ?? path);
  const left = found(bytes).filter((kind) => gone.includes(kind));
  assert.equal(left, [], 'still in the bytes');
  assert.ok(
    planted.some((kind) => gone.includes(kind)) === (cleaned !== null),
    'changed without need, or not at all',
  );
  const named = await folder.put(bytes, row.extension);
  assert.is(
    (await media.clean(named, await media.probe(named), policy)).path,
    null,
    'a second time changes something',
  );
  assert.is((await media.probe(named)).extension, row.extension);
  const { same } = row;
  if (same !== undefined)
    assert.is(await same(named), await once(before, row, () => same(path)), 'looks or sounds different');
}

async function cleanOrRefuse(
  media: Media,
  path: string,
  facts: Parameters<Media['clean']>[1],
  policy: MetadataPolicy,
  row: Row,
): Promise<string | 'refused' | null> {
  try {
    const { path: made, metadata } = await media.clean(path, facts, policy);
    assert.is(metadata, row.partly ? 'mayRemain' : 'removed', 'what its uploader is told');
    return made;
  } catch (error) {
    if (row.refusable && error instanceof MediaUnsupported) return 'refused';
    throw error;
  }
}
