import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, type TestServer } from '../harness.js';
import { startWithPortal } from '../support/interface/legacy-client.js';

const test = suite<{ server: TestServer }>('legacy client: pictures that browsers do not show');

test.before(async (world) => {
  world.server = await startWithPortal();
});
test.after(({ server }) => server.close());

const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

async function tiff({ owner, request }: TestServer) {
  const bytes = await sharp({ create: { width: 12, height: 8, channels: 3, background: '#0a0' } })
    .tiff()
    .toBuffer();
  const made = await request('POST', '/image/upload', { key: owner.key, form: fileForm(bytes, 'a.tiff') });
  assert.is(made.status, 200, made.text);
  return made.body.message;
}

test('the custom address of a TIFF is that of a JPEG', async ({ server }) => {
  const { urlSet } = await tiff(server);
  assert.is(urlSet.customUrl, `${urlSet.rawUrl}?format=jpeg`);
});

test('its raw address answers a JPEG to an <img>, and the original to everybody else', async ({ server }) => {
  const { uniqueId } = await tiff(server);
  const typeFor = async (accept: string, query = '') => {
    const { status, headers } = await server.request('GET', `/image/get/${uniqueId}${query}`, {
      headers: { accept },
    });
    assert.is(status, 200);
    return [headers.get('content-type'), (headers.get('vary') ?? '').includes('Accept')];
  };
  assert.equal(await typeFor(CHROME), ['image/jpeg', true]);
  assert.equal(await typeFor('image/png'), ['image/jpeg', true]);
  const [original, varies] = await typeFor('*/*');
  assert.is.not(original, 'image/jpeg');
  assert.is(varies, true);
  assert.is((await typeFor('image/tiff,image/*'))[0], original);
  assert.is((await typeFor(CHROME, '?download=true'))[0], original);
  assert.is((await typeFor(CHROME, '?format=webp'))[0], 'image/webp');
});

test('the raw address of a drawing is a picture to an <img>, and a download to everybody else', async ({
  server,
}) => {
  const put = async (svg: string) => {
    const form = fileForm(svg, 'a.svg');
    const made = await server.request('POST', '/image/upload', { key: server.owner.key, form });
    assert.is(made.status, 200, made.text);
    return `/image/get/${made.body.uniqueId}`;
  };
  const ask = async (path: string, accept: string) => {
    const { status, headers } = await server.request('GET', path, { headers: { accept } });
    assert.is(status, 200);
    const [shown] = (headers.get('content-disposition') ?? '').split(';');
    return [headers.get('content-type'), shown, (headers.get('vary') ?? '').includes('Accept')];
  };
  const start = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">';
  const drawing = await put(`${start}<rect width="9" height="9"/></svg>`);
  const download = ['application/octet-stream', 'attachment', true];
  // Of Firefox and Safari.
  for (const accept of [
    CHROME,
    'image/webp,*/*',
    'image/png,image/svg+xml,image/*;q=0.8,video/*;q=0.8,*/*;q=0.5',
  ])
    assert.equal(await ask(drawing, accept), ['image/webp', 'inline', true], accept);
  const navigation = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
  for (const accept of ['*/*', '', 'image/svg+xml', 'image/svg+xml,image/*', navigation])
    assert.equal(await ask(drawing, accept), download, accept);
  assert.equal(await ask(`${drawing}?download=true`, CHROME), [...download.slice(0, 2), false]);
  // One that could run something is not drawn.
  assert.equal(await ask(await put(`${start}<script>alert(1)</script></svg>`), CHROME), download);
});

test('an item that is used up or unknown answers an <img> without JSON, and others with the envelope', async ({
  server,
}) => {
  const made = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm('words', 'a.txt', { maxViews: '1' }),
  });
  const path = `/image/get/${made.body.uniqueId}`;
  assert.is((await server.request('GET', path)).status, 200);
  const { uniqueId } = made.body;
  for (const gone of [
    path,
    '/image/get/NOTHING1',
    '/image/get/video/NOTHING1',
    '/image/get/poster/NOTHING1',
    '/user/avatar/99999',
    '/r/NOTHING1',
    '//r/NOTHING1',
    '/url/r/NOTHING1',
    `//web/image-render/${uniqueId}`,
    '//web/image-render/NOTHING1',
    '/web/site/render/NOTHING1',
  ]) {
    const picture = await server.request('GET', gone, { headers: { accept: CHROME } });
    assert.equal([picture.status, picture.text, picture.headers.get('content-type')], [404, '', null], gone);
    assert.is(picture.headers.get('cross-origin-resource-policy'), 'cross-origin');
    const other = await server.request('GET', gone);
    assert.is(other.status, 404, gone);
    if (gone.includes('/web/')) assert.match(other.headers.get('content-type') ?? '', 'text/html');
    else assert.is(other.body.message, 'Resource not found', gone);
    const record = await server.request('GET', '/image/info/NOTHING1', { headers: { accept: CHROME } });
    assert.is(record.body.message, 'Resource not found', 'no page shows it as a picture');
  }
});

test.run();
