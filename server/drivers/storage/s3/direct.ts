import type { DirectTransfer } from '../../../../routers/base/ports/storage.js';
import type { S3Client } from './client.js';
import { headObject, listObjects, openObject, removeObject } from './objects.js';

const RESERVED = 'reserved/';
const KEY = /^[\w-]{1,128}$/;

/** Presigned transfers; `blobKey` returns the object key of a blob, `adoptPrefix` begins those of a front end. */
export function createDirectTransfer(
  client: S3Client,
  blobKey: (sha256: string) => string,
  adoptPrefix: string | null,
): DirectTransfer {
  const reservedKey = (key: string) => {
    if (!KEY.test(key)) throw new TypeError('a reserved key is made of letters, digits, _ and -');
    return RESERVED + key;
  };
  return {
    async presignPut(key, { contentType, size, expiresInSeconds }) {
      const headers = {
        ...(contentType === '' ? {} : { 'content-type': contentType }),
        ...(size === null ? {} : { 'content-length': String(size) }),
      };
      return client.presign({ method: 'PUT', key: reservedKey(key), headers }, expiresInSeconds);
    },

    async presignGet(sha256, { contentType, contentDisposition, expiresInSeconds }) {
      const query = {
        'response-content-type': contentType,
        'response-content-disposition': contentDisposition,
      };
      return client.presign({ method: 'GET', key: blobKey(sha256), query }, expiresInSeconds);
    },

    openReserved: async (key) => openObject(client, reservedKey(key), key),

    removeReserved: async (key) => removeObject(client, reservedKey(key)),

    async *listReserved() {
      for await (const { key, modifiedAt } of listObjects(client, RESERVED)) {
        yield { key: key.slice(RESERVED.length), modifiedAt };
      }
    },

    adoption:
      adoptPrefix === null
        ? null
        : {
            find: (uniqueId) => headObject(client, adoptPrefix + uniqueId),
            open: (uniqueId) => openObject(client, adoptPrefix + uniqueId, uniqueId),
            remove: (uniqueId) => removeObject(client, adoptPrefix + uniqueId),
          },
  };
}
