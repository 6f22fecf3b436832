/** A running upload. `cancel` aborts it; `done` then rejects with `Cancelled`. */
export interface Transfer {
  readonly done: Promise<Uploaded>;
  cancel(): void;
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

/** Responses of the upload operations (an image record, or an archive's playlist). */
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
 * Sends a form with one file. Uses XMLHttpRequest because fetch does not report upload progress. `done`
 * rejects with `Refused` if the server refuses the file, otherwise with the text to show.
 */
export function send(url: string, form: FormData, onProgress: (share: number) => void): Transfer {
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
    request.addEventListener('error', () => reject(new Error('The connection was lost')));
    request.addEventListener('abort', () => reject(new Cancelled()));
  });
  request.open('POST', url);
  request.setRequestHeader('Accept', 'application/json');
  request.send(form);
  return { done, cancel: () => request.abort() };
}

function read(request: XMLHttpRequest): Uploaded {
  const answer = parse(request.responseText);
  if (answer === null || answer.error) {
    const seconds = Number(request.getResponseHeader('Retry-After') ?? Number.NaN);
    const words = typeof answer?.message === 'string' ? answer.message : '';
    throw new Refused(request.status, words, Number.isFinite(seconds) ? seconds : null);
  }
  const made = typeof answer.message === 'object' ? answer.message : {};
  const urls = made.urlSet;
  if (urls)
    return {
      link: urls.userPreference ?? urls.shortUrl,
      page: urls.webUrl,
      metadataMayRemain: made.metadata === 'mayRemain',
    };
  const page = new URL(`/web/playlist/${encodeURIComponent(answer.uniqueId ?? '')}`, location.href).href;
  return { link: page, page, metadataMayRemain: false };
}

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return null;
  }
}
