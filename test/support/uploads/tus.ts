/** The protocol of resumable uploads, request by request. */
import type { Answer, TestServer } from '../../harness.js';
import { until } from '../until.js';

/** `Upload-Metadata` of these fields. */
export const metadataOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

const VERSION = { 'tus-resumable': '1.0.0' };
const TYPE = { 'content-type': 'application/offset+octet-stream' };

/** The path of an upload's address below `/v1`. */
export const pathOf = (answer: Answer): string =>
  new URL(answer.headers.get('location') ?? '').pathname.replace(/^\/v1/, '');

/** Requests of the protocol to a server. */
export function tusOf(server: TestServer) {
  return {
    create: (
      key: string | undefined,
      length: number | null,
      fields: Readonly<Record<string, string>> = {},
      more: { readonly body?: Uint8Array; readonly headers?: Record<string, string> } = {},
    ) =>
      server.request('POST', '/image/upload/resumable', {
        key,
        headers: {
          ...VERSION,
          ...(length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
          ...(Object.keys(fields).length === 0 ? {} : { 'upload-metadata': metadataOf(fields) }),
          ...(more.body === undefined ? {} : TYPE),
          ...more.headers,
        },
        ...(more.body === undefined ? {} : { body: more.body as BodyInit }),
      }),
    patch: (path: string, offset: number, bytes: Uint8Array, headers: Record<string, string> = {}) =>
      server.request('PATCH', path, {
        headers: { ...VERSION, ...TYPE, 'upload-offset': String(offset), ...headers },
        body: bytes as BodyInit,
      }),
    head: (path: string) => server.request('HEAD', path, { headers: VERSION }),
    end: (path: string) => server.request('DELETE', path, { headers: VERSION }),
    state: (path: string, key?: string) => server.request('GET', path, { key }),
    /** Waits until the server has decided what becomes of an upload. */
    settled: async (path: string, key?: string): Promise<Answer> => {
      const look = () => server.request('GET', path, { key });
      await until(async () => ['done', 'failed'].includes((await look()).body.message?.state));
      return look();
    },
  };
}
