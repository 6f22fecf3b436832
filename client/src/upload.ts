import { unreachable } from './answer.js';
import { HoldallError } from './error.js';
import { ownMemory, type UploadMemory } from './memory.js';
import { RESUMABLE_FROM_BYTES, sendInParts } from './parts.js';
import { messageOf } from './refusal.js';
import { counted, SENDS_WHOLE } from './request.js';
import type { ImageRecord } from './router.js';
import { headersFor, type UploadTarget } from './target.js';

/** Upload options; all are optional. */
export interface UploadOptions {
  /** The custom ID: 1 to 128 letters, digits, hyphens and underscores. */
  readonly uniqueId?: string;
  readonly private?: boolean;
  /** 3 to 100 characters. */
  readonly password?: string;
  readonly desc?: string;
  readonly expiresAt?: string | Date;
  readonly maxViews?: number;
  readonly tags?: readonly string[];
  /** Whether the file was sealed before, by `@holdall/client/sealed`; and its sealed name. */
  readonly sealed?: boolean;
  readonly sealedName?: string;
  /** The file name, if it is not a `File` with a name. */
  readonly name?: string;
  /**
   * Reports how much has been sent, in bytes of the request; in a service worker once, at the end. An error thrown here
   * ends the upload, which throws it.
   */
  readonly onProgress?: (progress: { readonly sent: number; readonly total: number }) => void;
  /** Aborts the upload, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Where an upload of more than 8 MiB remembers how to continue after the program has ended: the storage of a browser
   * unless something else is given; null for nowhere.
   */
  readonly memory?: UploadMemory | null;
}

/**
 * Stores a file and returns its record. The file is streamed (in Node, open it with `fs.openAsBlob`), so
 * memory use does not depend on its size. One of more than 8 MiB is sent in parts, and continues after a lost
 * connection or a restart of the server. Throws `HoldallError`.
 */
export function uploadFile(
  target: UploadTarget,
  file: Blob,
  options: UploadOptions = {},
): Promise<ImageRecord> {
  const whole = typeof XMLHttpRequest === 'undefined' ? uploadByFetch : uploadByRequest;
  if (file.size <= RESUMABLE_FROM_BYTES) return whole(target, file, options);
  const { onProgress, signal, memory } = options;
  return sendInParts({
    target,
    file,
    name: nameOf(file, options),
    fields: fieldsOf(options),
    memory: memory === undefined ? ownMemory() : memory,
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
    // A server of an earlier version.
    otherwise: () => whole(target, file, options),
  });
}

const FIELDS = [
  'uniqueId',
  'private',
  'password',
  'desc',
  'expiresAt',
  'maxViews',
  'tags',
  'sealed',
  'sealedName',
] as const;

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
    for (const [name, value] of Object.entries(headersFor(target))) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      try {
        onProgress?.({ sent: loaded, total });
      } catch (error) {
        reject(error);
        request.abort();
      }
    };
    request.onload = () => {
      try {
        const retryAfter = request.getResponseHeader('Retry-After');
        resolve(messageOf(target.origin, request.status, request.responseText, retryAfter) as ImageRecord);
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(unreachable(target.origin));
    request.onabort = () =>
      reject(signal?.reason ?? new DOMException('The upload was cancelled', 'AbortError'));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(form);
  });
}

/** Streams the form in chunks, so that progress is known and the file is never held in memory as a whole. */
async function uploadByFetch(target: UploadTarget, file: Blob, options: UploadOptions): Promise<ImageRecord> {
  const boundary = `holdall-${crypto.randomUUID()}`;
  const form = new Blob([...formHead(boundary, file, options), file, `\r\n--${boundary}--\r\n`]);
  const progress = guarded(options.onProgress);
  try {
    const response = await fetch(addressOf(target), {
      method: 'POST',
      ...(SENDS_WHOLE
        ? { body: form }
        : { body: counted(form, (sent) => progress.tell({ sent, total: form.size })), duplex: 'half' }),
      credentials: 'include',
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...headersFor(target),
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    } as RequestInit);
    if (SENDS_WHOLE) progress.tell({ sent: form.size, total: form.size });
    const retryAfter = response.headers.get('retry-after');
    return messageOf(target.origin, response.status, await response.text(), retryAfter) as ImageRecord;
  } catch (cause) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    if (progress.failed()) throw progress.error();
    throw cause instanceof HoldallError ? cause : unreachable(target.origin, cause);
  }
}

type Progress = NonNullable<UploadOptions['onProgress']>;

/** Keeps an error thrown by the caller's `onProgress`, because `fetch` would hide it. */
function guarded(onProgress: Progress | undefined) {
  let failure: { readonly error: unknown } | null = null;
  const tell: Progress = (progress) => {
    try {
      onProgress?.(progress);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  return { tell, failed: () => failure !== null, error: () => failure?.error };
}

/** Escapes the characters that would end a name in a form, as browsers do. */
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
