import { AwsClient } from 'aws4fetch';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { S3Location } from '../../server/drivers/storage/s3/client.js';
import type { TestServer } from '../harness.js';
import { type LegacyClient, legacyClient, startWithPortal } from '../support/interface/legacy-client.js';
import { followRequests, justBefore } from '../support/servers/interleave.js';
import { bucketEnv, ownBucket } from '../support/stores/object-store.js';

interface World {
  bucket: S3Location | null;
  server: TestServer;
  client: LegacyClient;
}

const test = suite<World>("legacy client: files in the client's own place of the bucket");

test.before(async (world) => {
  world.bucket = await ownBucket();
  if (world.bucket === null) return;
  world.server = await startWithPortal({ ...bucketEnv(world.bucket), S3_ADOPT_PREFIX: 'media/' });
  followRequests(world.server.app.server);
  world.client = legacyClient(world.server, world.server.owner.key);
});
test.after(async ({ server, bucket }) => {
  if (bucket !== null) await server.close();
});

const at = (bucket: S3Location, uid: string) => `${bucket.endpoint}/${bucket.bucket}/media/${uid}`;
const storeOf = ({ accessKeyId, secretAccessKey, region }: S3Location) =>
  new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });

/** What the client does with its own credentials, before it registers. */
async function putBy(bucket: S3Location, uid: string, bytes: Uint8Array): Promise<void> {
  const { status } = await storeOf(bucket).fetch(at(bucket, uid), { method: 'PUT', body: bytes as BodyInit });
  assert.is(status, 200);
}
const isThere = async (bucket: S3Location, uid: string): Promise<boolean> =>
  (await storeOf(bucket).fetch(at(bucket, uid), { method: 'HEAD' })).status === 200;

const picture = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: '#c00' } })
    .withExif({ IFD3: { GPSLatitude: '48/1 51/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();

test('a registered file becomes an image under its id, cleaned and at its own place', async (world) => {
  const { bucket, server } = world;
  if (bucket === null) return;
  const user = await server.account();
  const bytes = await picture();
  await putBy(bucket, 'ABCD1234', bytes);
  const query = `uniqueId=ABCD1234&fileType=image%2Fjpeg&size=${bytes.length}&source=PORTAL&private=true`;
  const answer = await server.request('POST', `/image/register?${query}`, { key: user.key });
  assert.is(answer.status, 200, answer.text);
  const { message } = answer.body;
  assert.equal(
    [message.uniqueId, message.type, message.width, message.isPublic, message.uploader.uid],
    ['ABCD1234', 'jpg', 30, false, user.id],
  );
  const got = await fetch(`${server.base}/image/get/ABCD1234`, { headers: { 'x-api-key': user.key } });
  assert.is(got.status, 200);
  assert.is((await sharp(Buffer.from(await got.arrayBuffer())).metadata()).exif, undefined);
  assert.is(await isThere(bucket, 'ABCD1234'), false);
  const again = await server.request('POST', `/image/register?${query}`, { key: user.key });
  assert.is(again.status, 404);
});

test('an id that is taken stays with its image, and the file stays where it was', async (world) => {
  const { bucket, server } = world;
  if (bucket === null) return;
  const user = await server.account();
  const first = await picture();
  await putBy(bucket, 'TAKEN001', first);
  const register = () =>
    server.request('POST', `/image/register?uniqueId=TAKEN001&size=${first.length}`, { key: user.key });
  assert.is((await register()).status, 200);
  await putBy(bucket, 'TAKEN001', first);
  let copied = false;
  const { direct } = server.app.services.storage.blobs;
  justBefore(direct?.adoption ?? null, 'open', async () => {
    copied = true;
  });
  assert.is((await register()).status, 400);
  assert.is(copied, false, 'it is refused before its bytes are copied');
  assert.is(await isThere(bucket, 'TAKEN001'), true);
});

test('of simultaneous registrations one gets the file', async (world) => {
  const { bucket, server } = world;
  if (bucket === null) return;
  const [one, two] = [await server.account(), await server.account()];
  const bytes = await picture();
  await putBy(bucket, 'RACE0001', bytes);
  const answers = await Promise.all(
    [one, two, one, two].map(({ key }) =>
      server.request('POST', `/image/register?uniqueId=RACE0001&size=${bytes.length}`, { key }),
    ),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 1);
  assert.ok(answers.every(({ status }) => [200, 400, 404].includes(status)));
});

test('another size, another kind of id, a missing file and a caller without a key get nothing', async (world) => {
  const { bucket, server } = world;
  if (bucket === null) return;
  const { key } = await server.account();
  const bytes = await picture();
  await putBy(bucket, 'SIZE0001', bytes);
  const register = (query: string, by: string | undefined = key) =>
    server.request('POST', `/image/register?${query}`, { key: by });
  assert.is((await register('uniqueId=SIZE0001&size=1')).status, 404);
  assert.is((await register('uniqueId=SIZE0001')).status, 404);
  assert.is((await register(`uniqueId=..%2Fblobs&size=${bytes.length}`)).status, 404);
  assert.is((await register('uniqueId=NOWHERE1&size=1')).status, 404);
  assert.is(
    (await server.request('POST', `/image/register?uniqueId=SIZE0001&size=${bytes.length}`)).status,
    401,
  );
  assert.is(await isThere(bucket, 'SIZE0001'), true);
});

test.run();
