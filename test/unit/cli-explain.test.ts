import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BlobStoreUnavailable } from '../../routers/ports/storage.js';
import { S3Forbidden } from '../../server/drivers/storage/s3/permissions.js';
import { S3Refused } from '../../server/drivers/storage/s3/refused.js';
import { explainServerError } from '../../server/operations/command/explain.js';

test('an object store that refuses or does not answer is explained in a sentence', () => {
  const request = { method: 'PUT', key: 'blobs/abc' };
  assert.match(explainServerError(new S3Refused(404, 'NoSuchBucket', request)) ?? '', /S3_BUCKET/);
  assert.match(explainServerError(new S3Refused(403, 'AccessDenied', request)) ?? '', /403 AccessDenied/);
  assert.match(explainServerError(new S3Forbidden(['s3:ListBucket'])) ?? '', /s3:ListBucket: grant it/);
  assert.match(explainServerError(new BlobStoreUnavailable('timed out')) ?? '', /timed out/);
});

test('an error that nobody expects is not explained away', () => {
  assert.is(explainServerError(new Error('a defect')), null);
});

test.run();
