/**
 * Files made to keep the removal of their metadata busy, to hide metadata from it, or damaged: bounded work, and nothing
 * is accepted of which nobody knows what is content.
 */
import { brotliCompressSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaUnsupported } from '../../routers/base/ports/media/media.js';
import { wantedApe } from '../../server/drivers/media/formats/audio-tags/ape.js';
import { wantedId3 } from '../../server/drivers/media/formats/audio-tags/clean-id3.js';
import { wantedComments } from '../../server/drivers/media/formats/audio-tags/vorbis-comment.js';
import { cleanAvi } from '../../server/drivers/media/formats/iff/clean-avi.js';
import { cleanWave } from '../../server/drivers/media/formats/iff/clean-sound.js';
import { cleanJxl } from '../../server/drivers/media/formats/iso/clean/jxl.js';
import { cleanMatroska } from '../../server/drivers/media/formats/matroska/clean.js';
import { bufferSource, TooManyParts } from '../../server/drivers/media/source.js';
import { uint32LE } from '../../server/drivers/media/words.js';
import { Random } from '../faults/clients/random.js';
import { fileForm, startServer } from '../harness.js';
import { box, wave } from '../support/media/media-fixtures.js';
import { riff } from '../support/metadata/sounds.js';
import { damage } from './inputs/damage.js';
import { valid } from './inputs/pictures.js';

const test = suite('hostile metadata');

const repeated = (part: Buffer, count: number) => Buffer.concat(Array<Buffer>(count).fill(part));
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('containers in containers of a film are entered up to a depth', async () => {
  const headers = (id: string, below: number) => {
    const size = Buffer.alloc(8);
    size.writeBigUInt64BE(BigInt(below));
    size.writeUInt8(1);
    return Buffer.concat([Buffer.from(id, 'hex'), size]);
  };
  const depth = 5_000;
  const chapters = Array.from({ length: depth }, (_, level) => headers('b6', 9 * (depth - 1 - level)));
  const nested = 9 * depth;
  const film = Buffer.concat([
    headers('18538067', 12 + 10 + nested),
    headers('1043a770', 10 + nested),
    headers('45b9', nested),
    ...chapters,
  ]);
  let reads = 0;
  const source = bufferSource(film);
  await cleanMatroska(
    {
      size: source.size,
      read: (offset, length) => {
        reads += 1;
        return source.read(offset, length);
      },
    },
    'strip',
  );
  assert.ok(reads < 100, `${reads} reads`);
});

/** A tag whose frames are empty. */
const id3 = (version: number, frame: string, count: number) => {
  const body = repeated(Buffer.from(frame, 'latin1'), count);
  const size = [21, 14, 7, 0].map((bits) => (body.length >>> bits) & 0x7f);
  return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, version, 0, 0, ...size]), body]);
};
const comments = (count: number) =>
  Buffer.concat([
    uint32LE(0),
    uint32LE(count),
    repeated(Buffer.concat([uint32LE(2), Buffer.from('a=')]), count),
  ]);
const ape = (items: number) => repeated(Buffer.concat([uint32LE(0), uint32LE(0), Buffer.from('a\0')]), items);

for (const [what, read] of Object.entries({
  'frames of an ID3 tag': (count: number) => wantedId3(id3(3, 'TXXX\0\0\0\0\0\0', count), 'strip'),
  'frames of an old ID3 tag': (count: number) => wantedId3(id3(2, 'TXX\0\0\0', count), 'strip'),
  'Vorbis comments': (count: number) => wantedComments(comments(count), 'strip'),
  'items of an APE tag': (count: number) => wantedApe(ape(count), 'strip'),
}))
  test(`${what}: as many as a program writes, and no more`, async () => {
    assert.is(await refusal(read(9_000)), null);
    assert.instance(await refusal(read(11_000)), TooManyParts);
  });

test('compressed texts of a JPEG XL are unpacked up to a size of all together', async () => {
  const text = Buffer.concat([Buffer.from('xml '), brotliCompressSync(Buffer.alloc(8 * 1024 * 1024, ' '))]);
  const image = (texts: number) =>
    Buffer.concat([
      box('JXL ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a])),
      ...Array<Buffer>(texts).fill(box('brob', text)),
      box('jxlc', Buffer.alloc(16)),
    ]);
  assert.is((await cleanJxl(bufferSource(image(4)), 'location')).length, 0);
  assert.is((await cleanJxl(bufferSource(image(7)), 'location')).length, 3);
});

/** A chunk whose size is another one. */
const claiming = (name: string, size: number) => Buffer.concat([Buffer.from(name), uint32LE(size)]);

test('a sound or a film is refused if a malformed chunk hides what it is made of', async () => {
  const sound = wave();
  const at = sound.indexOf('data');
  const hidden = (chunk: Buffer) => Buffer.concat([sound.subarray(0, at), chunk, sound.subarray(at)]);
  assert.is(await refusal(cleanWave(bufferSource(hidden(riff('LIST', 'INFO'))), 'strip')), null);
  for (const chunk of [
    claiming('LIST', sound.length - at),
    claiming('LIST', 0x7fffffff),
    Buffer.from('\0\x01\x02\x03\0\0\0\0'),
  ])
    assert.instance(await refusal(cleanWave(bufferSource(hidden(chunk)), 'strip')), MediaUnsupported);

  const frames = riff('LIST', Buffer.concat([Buffer.from('movi'), riff('00dc', Buffer.alloc(64))]));
  const film = (chunk: Buffer) => {
    const body = Buffer.concat([Buffer.from('AVI '), chunk, frames]);
    return Buffer.concat([Buffer.from('RIFF'), uint32LE(body.length), body]);
  };
  assert.is(await refusal(cleanAvi(bufferSource(film(riff('LIST', 'hdrl'))), 'strip')), null);
  for (const chunk of [claiming('LIST', frames.length + 4), claiming('strd', 0x7fffffff)])
    assert.instance(await refusal(cleanAvi(bufferSource(film(chunk)), 'strip')), MediaUnsupported);
});

test('a damaged file is cleaned or refused as the fault of its sender', async () => {
  const server = await startServer();
  try {
    const { key } = server.owner;
    const random = new Random(3);
    for (const [name, make] of Object.entries(valid)) {
      const whole = await make();
      for (const bytes of [
        whole.subarray(0, 40),
        whole.subarray(0, whole.length >> 1),
        ...Array.from({ length: 4 }, () => damage(whole, random)),
      ])
        for (const path of ['/image/upload', '/tools/image/strip-metadata']) {
          const { status, text } = await server
            .request('POST', path, { key, form: fileForm(bytes, name) })
            .catch((error: unknown) => {
              throw new Error(`${name} at ${path}`, { cause: error });
            });
          assert.ok([200, 400, 415].includes(status), `${name} at ${path}: ${status} ${text.slice(0, 200)}`);
        }
    }
  } finally {
    await server.close();
  }
});

test.run();
