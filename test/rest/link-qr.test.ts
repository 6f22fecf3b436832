/** The QR code of a link as an address: a drawing or a picture, read back by what browsers and cameras see. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';

let server: TestServer;
let user: TestAccount;
const qr = suite('GET /qr');
qr.before(async () => {
  server = await startServer({ SHORT_URL_URL: 'http://go.example.net' });
  user = await server.account();
});
qr.after(() => server.close());

const make = async (json: object = {}): Promise<string> =>
  (
    await server.request('POST', '/url/create', {
      key: user.key,
      json: { url: 'https://example.com', ...json },
    })
  ).body.uniqueId;
const get = (path: string, key?: string) =>
  fetch(`${server.origin}/qr/${path}`, { headers: key === undefined ? {} : { 'x-api-key': key } });

qr('a drawing in the colours, size and margin asked for', async () => {
  const id = await make({ uniqueId: 'größe/plakat' });
  const answer = await get(
    `gr%C3%B6%C3%9Fe/plakat.svg?size=300&color=112233&background=%23FFeedd&margin=0&level=h`,
  );
  assert.is(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^image\/svg\+xml/);
  assert.match(answer.headers.get('cache-control') ?? '', 'public');
  const svg = await answer.text();
  assert.match(svg, 'width="300" height="300"');
  assert.match(svg, 'fill="#112233"');
  assert.match(svg, 'fill="#ffeedd"');
  assert.match(svg, 'd="M0 0h1v1h-1z', 'no margin');
  assert.match(await (await get(`${encodeURIComponent(id)}.svg`)).text(), 'width="512"');
});
qr('a picture of exactly this size, with two colours', async () => {
  const id = await make();
  for (const size of [64, 333, 2048]) {
    const answer = await get(`${id}.png?size=${size}&color=%23ff0000&margin=2`);
    assert.is(answer.headers.get('content-type'), 'image/png');
    const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.equal([info.width, info.height], [size, size]);
    const at = (x: number, y: number) => [...data.subarray((y * size + x) * info.channels).subarray(0, 3)];
    assert.equal(at(0, 0), [255, 255, 255]);
    const square = size / (25 + 4);
    assert.equal(at(Math.floor(2.5 * square), Math.floor(2.5 * square)), [255, 0, 0]);
  }
});
qr('a logo of the service, or that of its operator', async () => {
  const id = await make();
  assert.match(await (await get(`${id}.svg?logo=true`)).text(), '#0c6a57');
  const form = fileForm(await jpegPhoto(1, 64, 64), 'logo.jpg');
  const logo = await server.request('POST', '/image/upload', { key: server.owner.key, form });
  await server.request('PATCH', '/admin/branding', {
    key: server.owner.key,
    json: { logo: logo.body.uniqueId },
  });
  assert.match(await (await get(`${id}.svg?logo=true`)).text(), 'href="data:image/png;base64,');
  assert.is((await get(`${id}.png?logo=true`)).status, 200);
});
qr('the longest ids fit', async () => {
  const uniqueId = '𝒜'.repeat(128);
  await make({ uniqueId });
  assert.is((await get(`${encodeURIComponent(uniqueId)}.svg?level=H`)).status, 200);
});
qr('what cannot be is refused', async () => {
  const id = await make();
  for (const query of [
    'size=63',
    'size=2049',
    'size=x',
    'color=red',
    'color=%23fff',
    'level=Z',
    'margin=-1',
    'margin=21',
  ])
    assert.is((await get(`${id}.svg?${query}`)).status, 400, query);
  for (const path of [id, `${id}.gif`, `${id}.jpg`, 'nobody.svg'])
    assert.is((await get(path)).status, 404, path);
});
qr('of a private link only those who may open it get it, of one with a password everybody', async () => {
  const id = await make({ private: true });
  assert.is((await get(`${id}.svg`)).status, 403);
  const own = await get(`${id}.svg`, user.key);
  assert.is(own.status, 200);
  assert.match(own.headers.get('cache-control') ?? '', 'private');
  assert.is((await get(`${await make({ password: 'secret' })}.svg`)).status, 200);
  const ended = await make({ maxUses: 1 });
  await server.request('GET', `/url/r/${ended}`);
  assert.is((await get(`${ended}.svg`)).status, 404);
});
qr.run();
