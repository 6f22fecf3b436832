// on both databases
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaBusy } from '../../routers/base/ports/media/media.js';
import type { Services } from '../../routers/core/context.js';
import { makePoster, posterInTime } from '../../routers/features/image/poster.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { webmMovie } from '../support/media/media-fixtures.js';

const test = suite('posters');
let server: TestServer;
let folder: string;
test.before(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'holdall-poster-'));
});
test.after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** The services with decoders that behave like this. */
const withPoster = (poster: Services['media']['poster']): Services => {
  const { services } = server.app;
  return { ...services, media: { ...services.media, poster } };
};

test('an upload does not wait for a slow decoder, whose late result is discarded', async () => {
  let finish: (path: string) => void = () => undefined;
  const slow = new Promise<string>((resolve) => {
    finish = resolve;
  });
  assert.is(
    await posterInTime(
      withPoster(() => slow),
      'film',
      1,
    ),
    'LATE',
  );
  await writeFile(join(folder, 'late.jpg'), 'late');
  finish(join(folder, 'late.jpg'));
  while ((await readdir(folder)).length > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('a busy decoder leaves the poster to the job, one that finds no frame leaves none', async () => {
  const busy = withPoster(() => Promise.reject(new MediaBusy()));
  assert.is(await posterInTime(busy, 'film'), 'LATE');
  assert.is(
    await posterInTime(
      withPoster(async () => null),
      'film',
    ),
    null,
  );
});

test('the job makes a poster once, and none for a deleted video', async () => {
  const { services } = server.app;
  const form = fileForm(webmMovie(), 'v.webm');
  const { uniqueId } = (await server.request('POST', '/image/upload', { key: server.owner.key, form })).body;
  // On a busy machine a job makes the poster after the answer.
  await services.jobs.settle();
  const posterless = { poster_sha256: null, thumbhash: null };
  await services.db.write((trx) => trx('images').update(posterless));
  const { id } = await services.db.read('images').select('id').first();
  await makePoster(services, id);
  await makePoster(services, id);
  await services.jobs.settle();
  const { message } = (await server.request('GET', `/image/info/${uniqueId}`)).body;
  assert.ok(message.urlSet.posterUrl);
  assert.ok(message.thumbhash);
  await server.request('DELETE', `/image/get/${uniqueId}`, { key: server.owner.key });
  await makePoster(services, id);
  assert.is(await services.db.read('images').first(), undefined);
});

test.run();
