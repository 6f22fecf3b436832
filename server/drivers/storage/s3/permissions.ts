import { randomUUID } from 'node:crypto';
import type { S3Client } from './client.js';
import { headObject, listObjects, removeObject } from './objects.js';
import { S3Refused } from './refused.js';
import { type LocalFile, sweepUploads, uploadFile } from './upload.js';

const CHECKS = 'check/';

/** The credentials do not permit everything that the store does. */
export class S3Forbidden extends Error {
  constructor(permissions: readonly string[]) {
    super(`the key of the object store lacks the permission ${permissions.join(' and ')}`);
    this.name = 'S3Forbidden';
  }
}

type Need = readonly [permission: string, use: () => Promise<unknown>];

/**
 * Stores and removes the probe, and between the two, if `all`, uses every other permission of the store. Throws
 * `S3Forbidden` with those that are lacking.
 */
export async function requirePermissions(client: S3Client, probe: LocalFile, all: boolean): Promise<void> {
  const key = `${CHECKS}${randomUUID()}`;
  const others: readonly Need[] = [
    // Without it, an object that does not exist looks like one that is forbidden.
    ['s3:ListBucket', () => headObject(client, `${key}-absent`)],
    ['s3:ListBucket', () => listObjects(client, key).next()],
    ['s3:GetObject', () => client.text({ method: 'GET', key }, [404])],
    ['s3:ListBucketMultipartUploads', () => sweepUploads(client, CHECKS, 0)],
  ];
  // In this order: the first also finds wrong credentials, the last removes what the first has stored.
  const needs: readonly Need[] = [
    ['s3:PutObject', () => uploadFile(client, key, probe)],
    ...(all ? others : []),
    ['s3:DeleteObject', () => removeObject(client, key)],
  ];
  const lacking = new Set<string>();
  for (const [permission, use] of needs) {
    try {
      await use();
    } catch (error) {
      if (!isForbidden(error)) throw error;
      lacking.add(permission);
    }
  }
  if (lacking.size > 0) throw new S3Forbidden([...lacking]);
}

/** A refusal of the request itself, not of the credentials. The answer to a HEAD has no code. */
const isForbidden = (error: unknown): boolean =>
  error instanceof S3Refused && error.status === 403 && ['AccessDenied', ''].includes(error.code);
