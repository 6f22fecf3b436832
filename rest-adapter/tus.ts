import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '../routers/base/errors.js';
import { localizable } from '../routers/base/language/localizable.js';
import { guessDecoder } from '../routers/base/text/charset.js';
import { CHECKSUMS } from '../routers/features/upload/checksum.js';
import { Fields } from './fields.js';

/** Where resumable uploads begin, below the prefix. */
export const UPLOADS_PATH = '/image/upload/resumable';

/** The only version of the protocol, tus, that is spoken here. */
const VERSION = '1.0.0';
const EXTENSIONS = [
  ...['creation', 'creation-with-upload', 'creation-defer-length'],
  ...['expiration', 'termination', 'checksum'],
].join(',');

/** Request headers of the protocol, for pages of other origins. */
export const TUS_REQUEST_HEADERS = [
  ...['tus-resumable', 'upload-length', 'upload-defer-length', 'upload-metadata', 'upload-offset'],
  ...['upload-checksum', 'x-http-method-override', 'x-request-id', 'x-requested-with'],
];
/** Response headers of the protocol that such pages read. */
export const TUS_RESPONSE_HEADERS = [
  ...['Location', 'Retry-After', 'Tus-Resumable', 'Tus-Version', 'Tus-Extension', 'Tus-Max-Size'],
  ...['Tus-Checksum-Algorithm', 'Upload-Offset', 'Upload-Length', 'Upload-Defer-Length', 'Upload-Metadata'],
  'Upload-Expires',
];

/** Announces the version with the answer, whatever it will be. */
export const announceTus = (res: ServerResponse): void => void res.setHeader('tus-resumable', VERSION);

/** Whether a request is of the version that is spoken here; a plain GET is no request of the protocol. */
export const speaksTus = (method: string, req: IncomingMessage): boolean =>
  method === 'GET' || req.headers['tus-resumable'] === VERSION;

/** 412 for a request of another version, or without one. */
export function refuseTus(res: ServerResponse): never {
  res.setHeader('tus-version', VERSION);
  fail('UPLOAD_PROTOCOL');
}

/**
 * 400 for what is not spoken here and would change what the bytes mean: ignored, it would store pieces as files, keep a file
 * for longer than its sender believes, or store bytes that were not compared.
 */
export function refuseUnsupported(method: string, { headers }: IncomingMessage): void {
  const instead = (header: string, sent: string): never =>
    fail('INVALID', localizable('{header} is not taken in this request, send {sent}', { header, sent }));
  const wished = headers['x-http-method-override'];
  if (headers['upload-concat'] !== undefined)
    fail(
      'INVALID',
      'Upload-Concat is not supported: send the file as one upload, its parts one after the other',
    );
  if (headers['upload-expires'] !== undefined) instead('Upload-Expires', 'Upload-Metadata: expiresAt …');
  if (/(?:^|,)\s*upload-/i.test(String(headers.trailer ?? ''))) instead('Trailer', 'Upload-Checksum');
  if (wished !== undefined && String(wished).trim().toUpperCase() !== method)
    instead('X-HTTP-Method-Override', 'POST, PATCH, HEAD, DELETE');
}

/** Answers OPTIONS: what of the protocol is spoken here, and how large an upload may be. */
export function answerTus(res: ServerResponse, maxBytes: number): void {
  res.writeHead(204, {
    'tus-resumable': VERSION,
    'tus-version': VERSION,
    'tus-extension': EXTENSIONS,
    'tus-max-size': String(maxBytes),
    'tus-checksum-algorithm': CHECKSUMS.join(','),
    'cache-control': 'no-store',
  });
  res.end();
}

/** The fields in `Upload-Metadata`: names, each with its value in base64, or without one for "". What is no UTF-8 is guessed. 400 if it is malformed. */
export function metadataFields(header: string | null): Fields {
  const fields: Record<string, string> = Object.create(null);
  const values: (readonly [string, Buffer])[] = [];
  for (const pair of (header ?? '').split(',')) {
    const [name = '', value = '', ...more] = pair.trim().split(/ +/);
    if (name === '' && value === '') continue;
    if (name === '' || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      fail('INVALID', 'Upload-Metadata has names and values in base64, separated by commas');
    values.push([name, Buffer.from(value, 'base64')]);
  }
  const decode = guessDecoder(
    values.map(([, value]) => value),
    'windows',
  );
  for (const [name, value] of values) fields[name] = decode(value);
  return new Fields(fields);
}

/** A header with a number; null without one, NaN for anything else, which no schema accepts. */
export function numberIn(header: string | null): number | null {
  if (header === null) return null;
  return /^\d{1,15}$/.test(header.trim()) ? Number(header) : Number.NaN;
}

/** The headers that say how far an upload is. */
export function progressHeaders(upload: {
  readonly offset: number;
  readonly length: number | null;
  readonly expiresAt: string;
}): Record<string, string> {
  return {
    'upload-offset': String(upload.offset),
    ...(upload.length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(upload.length) }),
    'upload-expires': new Date(upload.expiresAt).toUTCString(),
  };
}
