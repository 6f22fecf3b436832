/** What took too long is not tried again at once, so that one file cannot keep the decoders busy. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MediaStopped, MediaUnsupported } from '../../routers/base/ports/media/media.js';
import type { Services } from '../../routers/core/context.js';
import { unlessSlow } from '../../routers/features/image/stopped.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';

const test = suite('slow files');
const TEXT = 'This took too long; try again later, or with a smaller file';
let server: TestServer;
test.before(async () => {
  server = await startServer();
});
test.after(() => server.close());

/** Gives the server decoders of which each ends like this; counts how often one is asked. */
function decodersThat(end: () => Promise<never>): { asked: number } {
  const count = { asked: 0 };
  const work = (): Promise<never> => {
    count.asked += 1;
    return end();
  };
  const { media } = server.app.services;
  const changed: Pick<Services, 'media'> = { media: { ...media, rendition: work, change: work } };
  Object.assign(server.app.services, changed);
  return count;
}
const late = () => Promise.reject(new MediaStopped('time'));

async function put(bytes: Buffer): Promise<string> {
  const form = fileForm(bytes, 'a.jpg');
  return (await server.request('POST', '/image/upload', { key: server.owner.key, form })).body.uniqueId;
}

test('a picture that took too long is refused for a minute in every size and format, others are tried', async () => {
  const [slow, other] = [await put(await jpegPhoto(1, 320, 200)), await put(await jpegPhoto(1, 200, 320))];
  await server.app.services.jobs.settle();
  const decoders = decodersThat(late);
  for (const query of ['width=160', 'width=160', 'width=320', 'format=avif']) {
    const { status, body, headers } = await server.request('GET', `/image/get/${slow}?${query}`);
    assert.equal([status, body.message, headers.get('retry-after')], [503, TEXT, '60'], query);
  }
  assert.is(decoders.asked, 1);
  assert.is((await server.request('GET', `/image/get/${other}?width=160`)).status, 503);
  assert.is(decoders.asked, 2);
});

test('so is a file with the tool that took too long for it, and with no other tool', async () => {
  const decoders = decodersThat(late);
  const photo = await jpegPhoto(1, 240, 240);
  const use = async (tool: string, bytes: Buffer) => {
    const form = fileForm(bytes, 'a.jpg', {}, 'image/jpeg');
    const { status, body } = await server.request('POST', `/tools/image/${tool}`, {
      key: server.owner.key,
      form,
    });
    return [status, body.message, decoders.asked];
  };
  assert.equal(await use('compress', photo), [503, TEXT, 1]);
  assert.equal(await use('compress', photo), [503, TEXT, 1]);
  assert.equal(await use('resize', photo), [503, TEXT, 2]);
  assert.equal(await use('compress', await jpegPhoto(1, 120, 240)), [503, TEXT, 3]);
});

test('another failure, and work that the client has left, are tried again', async () => {
  const { services } = server.app;
  const leaving = new AbortController();
  let tries = 0;
  const failing = (error: Error) => () => {
    tries += 1;
    return Promise.reject(error);
  };
  for (const error of [new MediaUnsupported('damaged'), new MediaStopped('memory')])
    await unlessSlow(services, 'x', failing(error)).catch(() => undefined);
  leaving.abort();
  await unlessSlow(services, 'x', failing(new MediaStopped('time')), leaving.signal).catch(() => undefined);
  assert.is(await unlessSlow(services, 'x', async () => 'done'), 'done');
  assert.is(tries, 3);
});

test.run();
