import { readFile } from 'node:fs/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { endOf } from '../../client/bin/end.js';
import { explainClientError } from '../../client/bin/explain.js';
import { BlobStoreUnavailable } from '../../routers/base/ports/storage.js';
import { S3Forbidden } from '../../server/drivers/storage/s3/permissions.js';
import { S3Refused } from '../../server/drivers/storage/s3/refused.js';
import { explainServerError } from '../../server/operations/command/explain.js';

const request = { method: 'PUT', key: 'blobs/abc' };

for (const [status, code, change] of [
  [404, 'NoSuchBucket', 'correct S3_BUCKET'],
  [403, 'InvalidAccessKeyId', 'correct S3_ACCESS_KEY_ID'],
  [403, 'SignatureDoesNotMatch', 'correct S3_SECRET_ACCESS_KEY'],
  [400, 'AuthorizationHeaderMalformed', 'correct S3_REGION'],
  [301, 'PermanentRedirect', 'correct S3_ENDPOINT and S3_REGION'],
  [403, 'RequestTimeTooSkewed', 'synchronise the clock'],
] as const)
  test(`${code} of an object store is explained with what to change`, () => {
    assert.match(explainServerError(new S3Refused(status, code, request)) ?? '', change);
  });

test('an object store that refuses or does not answer is explained in a sentence', () => {
  assert.match(explainServerError(new S3Refused(403, 'AccessDenied', request)) ?? '', /403 AccessDenied/);
  assert.match(explainServerError(new S3Forbidden(['s3:ListBucket'])) ?? '', /s3:ListBucket: grant it/);
  assert.match(explainServerError(new BlobStoreUnavailable('timed out')) ?? '', /timed out/);
});

test('an error that nobody expects is not explained away', () => {
  assert.is(explainServerError(new Error('a defect')), null);
});

test('a file that is not there is explained by its name, without codes of the system', async () => {
  const error = await readFile('/nowhere/at all').catch((failure: unknown) => failure);
  assert.is(explainClientError(error), '/nowhere/at all: there is no such file or folder');
});

test('a span from now on has its units; others are named with those that there are', () => {
  assert.ok(Date.parse(endOf('7d') ?? '') > Date.now());
  assert.is(endOf('2031-01-31'), '2031-01-31');
  assert.throws(() => endOf('7x'), /30m, 12h, 7d or 4w/);
});

test.run();
