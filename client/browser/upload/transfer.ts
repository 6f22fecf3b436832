import { HoldallError } from '../../src/error.js';
import { ownMemory } from '../../src/memory.js';
import type { PartsSource, PartsTask } from '../../src/parts/task.js';
import { abandonParts, answerInParts, sendInParts } from '../../src/parts.js';
import { language, t } from '../speech.js';

/** A running upload. `cancel` aborts it for good; `done` then rejects with `Cancelled`. */
export interface Transfer<T> {
  readonly done: Promise<T>;
  cancel(): void;
  /** Stops it so that it can be continued, and rejects with `Paused`; null if it can only begin anew. */
  readonly pause: (() => void) | null;
}

/** What happens on the way: how far it is, and that it has to wait for the server. */
export interface On {
  progress(share: number): void;
  away(): void;
}

/** The part of an upload response that this page shows. */
export interface Uploaded {
  readonly link: string;
  readonly page: string;
  /** Its format keeps metadata that could not be removed. */
  readonly metadataMayRemain: boolean;
}

/** The user cancelled the upload. */
export class Cancelled extends Error {}

/** The user paused the upload. */
export class Paused extends Error {}

/** The server refused the upload, with its status and message; an empty message if the response is not Holdall's. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Seconds after which a retry may succeed; null if the server did not say. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }
}

/** Responses of the upload operations (an image record, or the collection of an archive). */
interface Answer {
  readonly error: boolean;
  readonly uniqueId: string | null;
  readonly message:
    | string
    | {
        readonly metadata?: string | null;
        readonly urlSet?: {
          readonly shortUrl: string;
          readonly webUrl: string;
          readonly userPreference?: string | null;
        };
      };
}

/**
 * Sends a form with one file. `done` rejects with `Refused` if the server refuses the file, otherwise with the text to
 * show. Uses XMLHttpRequest because fetch does not report upload progress.
 */
export function send(url: string, form: FormData, onProgress: On['progress']): Transfer<Uploaded> {
  const request = new XMLHttpRequest();
  const done = new Promise<Uploaded>((resolve, reject) => {
    request.upload.addEventListener('progress', (event) =>
      onProgress(event.lengthComputable ? event.loaded / event.total : 0),
    );
    request.addEventListener('load', () => {
      try {
        resolve(read(request));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(new Error(t('The connection was lost'))));
    request.addEventListener('abort', () => reject(new Cancelled()));
  });
  request.open('POST', url);
  request.setRequestHeader('Accept', 'application/json');
  request.setRequestHeader('Accept-Language', language);
  request.send(form);
  return { done, cancel: () => request.abort(), pause: null };
}

/** What something sealed is called on its way. */
export const SEALED_FILE = 'sealed.age';

/** A transfer that begins as soon as what it sends is ready. */
export function later<T>(ready: Promise<Transfer<T>>): Transfer<T> {
  const then = (run: (transfer: Transfer<T>) => void): void => void ready.then(run, () => undefined);
  return {
    done: ready.then(({ done }) => done),
    cancel: () => then((transfer) => transfer.cancel()),
    pause: () => then((transfer) => transfer.pause?.()),
  };
}

/** The transfer of something sealed: of what has arrived, or was given up, this browser keeps nothing. */
export const forgetting = <T>(transfer: Transfer<T>, { forget }: { forget(): void }): Transfer<T> => ({
  ...transfer,
  done: transfer.done.then((answer) => {
    forget();
    return answer;
  }),
  cancel: () => {
    forget();
    transfer.cancel();
  },
});

/** How long a page tries to reach a server that is away. */
const PATIENCE_MS = 60 * 60_000;

/**
 * Sends a large file in parts: it continues after a pause, a lost connection or a restart of the server, and when the
 * same file is chosen again after the page was closed.
 */
export function sendParts(form: FormData, file: PartsSource, name: string, on: On): Transfer<Uploaded> {
  const key = String(form.get('key') ?? '');
  const fields = [...form].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'key' ? [[name, value]] : [],
  );
  return partsOf({ file, name, fields, apiKey: key === '' ? null : key }, on, async (task) => {
    const { urlSet, metadata } = await sendInParts(task);
    return toUploaded(urlSet, metadata);
  });
}

/** As `sendParts`, for a file that answers a request link; one with the same receipt is stored once. */
export function answerParts(
  {
    file,
    name,
    sealedName,
  }: { readonly file: PartsSource; readonly name: string; readonly sealedName?: string },
  {
    sender,
    receipt,
    ...answers
  }: {
    readonly request: string;
    readonly ticket: string | null;
    readonly sender: string;
    readonly receipt: string;
  },
  on: On,
): Transfer<void> {
  const fields: [string, string][] = [['receipt', receipt]];
  if (sender !== '') fields.push(['name', sender]);
  if (sealedName !== undefined) fields.push(['sealedName', sealedName]);
  return partsOf(
    { file, name, fields, apiKey: null },
    on,
    (task) => answerInParts({ ...task, answers }),
    answers,
  );
}

function partsOf<T>(
  {
    file,
    name,
    fields,
    apiKey,
  }: Pick<PartsTask, 'file' | 'name' | 'fields'> & { readonly apiKey: string | null },
  on: On,
  run: (task: PartsTask) => Promise<T>,
  answers?: PartsTask['answers'],
): Transfer<T> {
  const stop = new AbortController();
  const task: PartsTask = {
    target: { origin: '', apiKey, language },
    ...{ file, name, fields, memory: ownMemory() },
    ...(answers && { answers }),
    onProgress: ({ sent, total }) => on.progress(sent / total),
    onPause: on.away,
    signal: stop.signal,
    patienceMs: PATIENCE_MS,
  };
  const done = run(task).catch(async (error: unknown) => {
    if (error instanceof Cancelled) await abandonParts(task);
    throw asRefused(error);
  });
  return { done, cancel: () => stop.abort(new Cancelled()), pause: () => stop.abort(new Paused()) };
}

/** What the client says itself, which is English, in the language of the page; all else is what the server says. */
function saidHere(message: string): string {
  switch (message) {
    case 'The file cannot be read':
      return t('The file cannot be read');
    case 'The server could not store the file':
      return t('The server could not store the file');
    case 'The server has forgotten this upload, send the file again':
      return t('The server has forgotten this upload, send the file again');
    case 'The server does not say where to continue':
      return t('The server does not say where to continue');
    // The API says this in English to everybody.
    case 'Resource not found':
      return t('Resource not found');
    default:
      return message;
  }
}

/** The errors of the client as those of this page; others stay what they are. */
export function asRefused(error: unknown): unknown {
  if (!(error instanceof HoldallError)) return error;
  const { status, reason, message, retryAfter } = error;
  if (status === 0) return new Error(t('The connection was lost'));
  return new Refused(status, reason === 'UNEXPECTED' ? '' : saidHere(message), retryAfter);
}

function toUploaded(
  urls: { readonly shortUrl: string; readonly webUrl: string; readonly userPreference?: string | null },
  metadata: string | null | undefined,
): Uploaded {
  return {
    link: urls.userPreference ?? urls.shortUrl,
    page: urls.webUrl,
    metadataMayRemain: metadata === 'mayRemain',
  };
}

/** The answer of the server; throws `Refused` if it refuses. */
function answered(request: XMLHttpRequest): Answer {
  const answer = parse(request.responseText);
  if (answer !== null && !answer.error) return answer;
  const seconds = Number(request.getResponseHeader('Retry-After') ?? Number.NaN);
  const words = typeof answer?.message === 'string' ? answer.message : '';
  throw new Refused(request.status, words, Number.isFinite(seconds) ? seconds : null);
}

function read(request: XMLHttpRequest): Uploaded {
  const answer = answered(request);
  const made = typeof answer.message === 'object' ? answer.message : {};
  const urls = made.urlSet;
  if (urls) return toUploaded(urls, made.metadata);
  const page = new URL(`/web/collection/${encodeURIComponent(answer.uniqueId ?? '')}`, location.href).href;
  return { link: page, page, metadataMayRemain: false };
}

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return null;
  }
}
