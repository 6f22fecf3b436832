/**
 * Valid files with a few bytes changed at random: reading, cleaning and decoding them ends with a result or
 * with the error that blames the file, and leaves nothing behind. HOSTILE_MUTANTS=5000 sets the number, SEED
 * the seed.
 */
import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaUnsupported } from '../../routers/base/ports/media/media.js';
import { createMedia } from '../../server/drivers/media/index.js';
import { createLogs } from '../../server/runtime/logger.js';
import { Random } from '../faults/clients/random.js';
import { mediaFolder } from '../support/media/media-fixtures.js';
import { damage } from './inputs/damage.js';
import { valid } from './inputs/pictures.js';

const COUNT = Number(process.env.HOSTILE_MUTANTS ?? 400);
const SEED = Number(process.env.SEED ?? 1);
/** Decoding is slow, and happens in a process that may die: only one in this many files is decoded. */
const DECODED = 8;

const test = suite('damaged files');
const folder = await mediaFolder();
const temp = `${folder.root}/temp`;
const media = createMedia({ tempDir: temp, log: createLogs('silent').log });
test.after(folder.remove);

/** The result of a reading; null if it blames the file. Any other error is a bug of ours. */
async function attempt<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MediaUnsupported) return null;
    throw error;
  }
}

for (const [name, make] of Object.entries(valid)) {
  test(`${name}, damaged in ${Math.ceil(COUNT / Object.keys(valid).length)} ways from seed ${SEED}`, async () => {
    const random = new Random(SEED);
    const whole = await make();
    for (let index = 0; index < COUNT / Object.keys(valid).length; index += 1) {
      const path = await folder.put(damage(whole, random));
      try {
        const facts = await attempt(media.probe(path));
        if (facts === null) continue;
        await attempt(media.clean(path, facts, 'strip'));
        if (index % DECODED !== 0) continue;
        await media.thumbhash(path);
        await attempt(media.rendition(path, { width: 160, format: 'webp' }));
      } catch (error) {
        throw new Error(`${name}, number ${index}: ${error instanceof Error ? error.stack : error}`);
      }
    }
  });
}

test('only results remain in the folder for results', async () => {
  for (const name of await readdir(temp)) assert.not.match(name, /partial/);
});

test.run();
