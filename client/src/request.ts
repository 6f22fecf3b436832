/** A request of the protocol of resumable uploads. */
export interface PartRequest {
  readonly method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Blob;
  /** How much of the body has been sent. */
  readonly onSent?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** The answer to it. */
export interface PartAnswer {
  readonly status: number;
  readonly text: string;
  header(name: string): string | null;
}

/** Sends a request; rejects if there is no answer, and with the signal's reason if that is aborted. */
export function ask(request: PartRequest): Promise<PartAnswer> {
  // Only XMLHttpRequest reports in a browser how much has been sent.
  return typeof XMLHttpRequest === 'undefined' ? byFetch(request) : byXhr(request);
}

/** How long the answer to a request on its way is waited for after the signal was aborted. */
const GRACE_MS = 5_000;

/** Sends a request that an aborted signal ends only if there is no answer within five seconds. */
export async function askToTheEnd(
  request: PartRequest,
  signal: AbortSignal | undefined,
): Promise<PartAnswer> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    timer = setTimeout(() => late.abort(signal?.reason), GRACE_MS);
  };
  signal?.addEventListener('abort', begin);
  try {
    return await ask({ ...request, signal: late.signal });
  } finally {
    signal?.removeEventListener('abort', begin);
    clearTimeout(timer);
  }
}

async function byFetch({ method, url, headers, body, onSent, signal }: PartRequest): Promise<PartAnswer> {
  const streams = body !== undefined && onSent !== undefined && !SENDS_WHOLE;
  const response = await fetch(url, {
    method,
    headers,
    credentials: 'include',
    ...(body === undefined ? {} : streams ? { body: counted(body, onSent), duplex: 'half' } : { body }),
    ...(signal === undefined ? {} : { signal }),
  } as RequestInit).catch((error: unknown) => {
    throw signal?.aborted === true ? signal.reason : error;
  });
  return {
    status: response.status,
    text: await response.text(),
    header: (name) => response.headers.get(name),
  };
}

/** Where streaming is refused: browsers stream a request only over HTTP/2, and service workers only have `fetch`. */
export const SENDS_WHOLE = 'ServiceWorkerGlobalScope' in globalThis;

/** The bytes of a body, as a stream that tells how many of them were sent. */
export function counted(body: Blob, onSent: (bytes: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  return body.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
        onSent(sent);
      },
    }),
  );
}

function byXhr({ method, url, headers, body, onSent, signal }: PartRequest): Promise<PartAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    xhr.open(method, url);
    xhr.withCredentials = true;
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => onSent?.(loaded);
    xhr.onload = () =>
      resolve({
        status: xhr.status,
        text: xhr.responseText,
        header: (name) => xhr.getResponseHeader(name),
      });
    xhr.onerror = () => reject(new TypeError('the connection was lost'));
    xhr.onabort = () => reject(signal?.reason ?? new DOMException('The upload was cancelled', 'AbortError'));
    xhr.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    xhr.send(body ?? null);
  });
}
