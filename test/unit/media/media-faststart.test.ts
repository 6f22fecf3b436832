import { readFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { faststart } from '../../../server/drivers/media/formats/iso/faststart.js';
import { createMedia } from '../../../server/drivers/media/index.js';
import { type ByteSource, bufferSource } from '../../../server/drivers/media/source.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { mediaFolder, movie } from '../../support/media/media-fixtures.js';
import { box, u32 } from '../../support/media/media-fixtures-boxes.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });

const fast = suite('media: the index of a movie is moved to the front');

/** The bytes that the first chunk offset of a movie points to. */
function firstSample(bytes: Buffer, length: number): string {
  const table = bytes.indexOf('stco');
  return bytes.subarray(bytes.readUInt32BE(table + 12)).toString('hex', 0, length);
}

fast('an index at the end is moved to the front and its offsets are adjusted', async () => {
  for (const brand of ['isom', 'qt  ']) {
    const original = movie({ brand, indexLast: true });
    const path = await folder.put(original);
    const { path: moved } = await media.clean(path, await media.probe(path), 'location');
    assert.ok(moved);
    const bytes = await readFile(moved);
    assert.is(bytes.length, original.length);
    assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'));
    assert.is(firstSample(bytes, 20), firstSample(original, 20));
    assert.equal(await media.probe(moved), await media.probe(path));
    assert.is((await media.clean(moved, await media.probe(moved), 'location')).path, null);
    assert.is((await media.clean(path, await media.probe(path), 'keep')).path, null, 'kept as it was sent');
    assert.ok(await media.poster(moved));
  }
});

fast('the index is moved and metadata removed in one pass', async () => {
  const path = await folder.put(movie({ indexLast: true }));
  const { path: made } = await media.clean(path, await media.probe(path), 'strip');
  assert.ok(made);
  const bytes = await readFile(made);
  assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'));
  assert.not.ok(bytes.includes('Acme'));
  assert.is(firstSample(bytes, 20), firstSample(movie({ indexLast: true }), 20));
});

/** A sparse file of any size: zeros with some parts written. */
function sparse(size: number, parts: readonly (readonly [number, Buffer])[]): ByteSource {
  return {
    size,
    async read(offset, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      for (const [at, part] of parts) {
        const from = Math.max(at, offset);
        const to = Math.min(at + part.length, offset + bytes.length);
        if (from < to) part.copy(bytes, from - offset, from - at, to - at);
      }
      return bytes;
    },
  };
}

function index(...tables: Buffer[]): Buffer {
  return box('moov', ...tables.map((table) => box('trak', box('mdia', box('minf', box('stbl', table))))));
}

/** A movie whose media data extends to `dataEnd`, followed by its index. */
function movieOf(dataEnd: number, moov: Buffer): ByteSource {
  const ftyp = box('ftyp', 'isom', u32(0));
  const mdat = Buffer.alloc(16);
  mdat.writeUInt32BE(1, 0);
  mdat.write('mdat', 4, 'latin1');
  mdat.writeBigUInt64BE(BigInt(dataEnd - ftyp.length), 8);
  const parts = [[0, ftyp] as const, [ftyp.length, mdat] as const, [dataEnd, moov] as const];
  return sparse(dataEnd + moov.length, parts);
}

const GIB = 1024 ** 3;

fast('offsets beyond four gigabytes are adjusted too', async () => {
  const offset = Buffer.alloc(8);
  offset.writeBigUInt64BE(BigInt(6 * GIB));
  const moov = index(box('co64', u32(0, 1), offset));
  const plan = await faststart(movieOf(7 * GIB, moov));
  assert.ok(plan);
  assert.equal(
    plan.order.map(({ start }) => start),
    [0, 7 * GIB, 16, 7 * GIB + moov.length],
  );
  const [edit] = plan.edits;
  assert.ok(edit && edit.bytes !== 'zeros');
  assert.is(Number(edit.bytes.readBigUInt64BE(8)), 6 * GIB + moov.length);
});

fast('a file whose offsets would no longer fit keeps its index at the end', async () => {
  const moov = index(box('stco', u32(0, 1, 0xffffffff - 4)));
  assert.is(await faststart(movieOf(4 * GIB, moov)), null);
});

fast('files with other absolute offsets keep their order', async () => {
  const moov = index(box('stco', u32(0, 1, 24)));
  const start = box('ftyp', 'isom', u32(0));
  for (const extra of [box('moof'), box('sidx'), box('meta')]) {
    const bytes = Buffer.concat([start, box('mdat', 'data'), extra, moov]);
    assert.is(await faststart(bufferSource(bytes)), null);
  }
  const encrypted = index(Buffer.concat([box('stco', u32(0, 1, 24)), box('saio', u32(0, 1, 24))]));
  assert.is(await faststart(bufferSource(Buffer.concat([start, box('mdat', 'data'), encrypted]))), null);
});

fast('an offset beyond the old position of the index stays the same', async () => {
  const head = Buffer.concat([box('ftyp', 'isom', u32(0)), box('mdat', 'first')]);
  const size = index(box('stco', u32(0, 2, 0, 0))).length;
  const behind = head.length + size + 8;
  const moov = index(box('stco', u32(0, 2, 24, behind)));
  const plan = await faststart(bufferSource(Buffer.concat([head, moov, box('mdat', 'second')])));
  const bytes = plan?.edits[0]?.bytes;
  assert.ok(Buffer.isBuffer(bytes));
  assert.equal([bytes.readUInt32BE(8), bytes.readUInt32BE(12)], [24 + size, behind]);
});

fast.after(folder.remove);
fast.run();
