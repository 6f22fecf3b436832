import { HoldallError } from './error.js';
import type { ImageRecord } from './router.js';

/** How a file is stored; every field may be left out. */
export interface UploadOptions {
  /** The id to be; 1 to 20 letters, digits, hyphens and underscores. */
  readonly uniqueId?: string;
  readonly private?: boolean;
  /** 3 to 100 characters. */
  readonly password?: string;
  readonly desc?: string;
  readonly expiresAt?: string | Date;
  readonly maxViews?: number;
  /** The name of the file, when it is not a `File` that knows its own. */
  readonly name?: string;
  /** Told how much has been sent, in bytes of the request. */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
  /** Ends the upload; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Where an upload goes and who sends it. */
export interface UploadTarget {
  readonly origin: string;
  readonly apiKey: string | null;
}

/**
 * Stores a file and returns its record. The file is streamed from where it lies (in Node, take it from
 * `fs.openAsBlob`), so its size costs no memory. Throws `HoldallError`.
 */
export function uploadFile(
  target: UploadTarget,
  file: Blob,
  options: UploadOptions = {},
): Promise<ImageRecord> {
  return typeof XMLHttpRequest === 'undefined'
    ? uploadByFetch(target, file, options)
    : uploadByRequest(target, file, options);
}

const FIELDS = ['uniqueId', 'private', 'password', 'desc', 'expiresAt', 'maxViews'] as const;

function fieldsOf(options: UploadOptions): [name: string, value: string][] {
  return FIELDS.flatMap((name): [string, string][] => {
    const value = options[name];
    if (value === undefined) return [];
    return [[name, value instanceof Date ? value.toISOString() : String(value)]];
  });
}

const nameOf = (file: Blob, options: UploadOptions): string =>
  options.name ?? (file as Blob & { name?: string }).name ?? 'file';

const addressOf = (target: UploadTarget): string => `${target.origin}/v1/image/upload`;

interface Envelope {
  readonly error: boolean;
  readonly message: unknown;
}

function recordOf(status: number, text: string, retryAfter: string | null): ImageRecord {
  let envelope: Envelope;
  try {
    envelope = JSON.parse(text) as Envelope;
  } catch (cause) {
    throw new HoldallError('The server answered something unexpected', {
      status,
      reason: 'UNEXPECTED',
      cause,
    });
  }
  if (!envelope.error) return envelope.message as ImageRecord;
  throw new HoldallError(String(envelope.message), {
    status,
    reason: 'REFUSED',
    retryAfter: retryAfter === null ? null : Number(retryAfter),
  });
}

/** Browsers report upload progress through XMLHttpRequest only. */
function uploadByRequest(target: UploadTarget, file: Blob, options: UploadOptions): Promise<ImageRecord> {
  return new Promise((resolve, reject) => {
    const { signal, onProgress } = options;
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const form = new FormData();
    for (const [name, value] of fieldsOf(options)) form.append(name, value);
    form.append('file', file, nameOf(file, options));
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('POST', addressOf(target));
    request.withCredentials = true;
    if (target.apiKey !== null) request.setRequestHeader('X-API-Key', target.apiKey);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.({ sent: loaded, total });
    request.onload = () => {
      try {
        resolve(recordOf(request.status, request.responseText, request.getResponseHeader('Retry-After')));
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () =>
      reject(new HoldallError('The server cannot be reached', { status: 0, reason: 'NETWORK' }));
    request.onabort = () => reject(signal?.reason ?? new DOMException('The upload was ended', 'AbortError'));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(form);
  });
}

/** Streams the form piece by piece, so that progress is known and the file is never held whole. */
async function uploadByFetch(target: UploadTarget, file: Blob, options: UploadOptions): Promise<ImageRecord> {
  const boundary = `holdall-${crypto.randomUUID()}`;
  const form = new Blob([...formHead(boundary, file, options), file, `\r\n--${boundary}--\r\n`]);
  const body = counted(form, options.onProgress);
  let response: Response;
  try {
    response = await fetch(addressOf(target), {
      method: 'POST',
      body,
      duplex: 'half',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...(target.apiKey === null ? {} : { 'x-api-key': target.apiKey }),
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    } as RequestInit);
  } catch (cause) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    throw new HoldallError('The server cannot be reached', { status: 0, reason: 'NETWORK', cause });
  }
  return recordOf(response.status, await response.text(), response.headers.get('retry-after'));
}

/** Names in a form escape what would end them, as browsers do. */
const escapeName = (name: string): string =>
  name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');

function formHead(boundary: string, file: Blob, options: UploadOptions): string[] {
  const fields = fieldsOf(options).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const type = file.type === '' ? 'application/octet-stream' : file.type;
  const name = escapeName(nameOf(file, options));
  return [
    ...fields,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
  ];
}

function counted(form: Blob, onProgress: UploadOptions['onProgress']): ReadableStream<Uint8Array> {
  let sent = 0;
  return form.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
        onProgress?.({ sent, total: form.size });
      },
    }),
  );
}
