import { secondsOf, unexpected } from '../answer.js';
import { HoldallError } from '../error.js';
import { messageOf, refusalOf } from '../refusal.js';
import { ask, askToTheEnd, type PartAnswer, type PartRequest } from '../request.js';
import { headersFor, languageOf } from '../target.js';
import { CallerFailed, patienceOf } from './patience.js';
import { Gone, isPassing, type PartsTask, signalOf, tell, Unknown } from './task.js';

/** Below the limits of proxies, and what is sent again at most after a lost connection. */
const PART_BYTES = 16 * 1024 * 1024;

const VERSION = { 'Tus-Resumable': '1.0.0' } as const;

/** Makes an upload of the server; returns its address. */
export async function begin(task: PartsTask): Promise<string> {
  const { target, file, name, fields, answers } = task;
  const described = [['filename', name], ['filetype', file.type], ...fields].map(([field, value]) =>
    `${field} ${base64(value ?? '')}`.trimEnd(),
  );
  const answer = await insist(task, {
    method: 'POST',
    url: `${target.origin}/v1/image/upload/resumable${queryOf(answers)}`,
    headers: {
      ...VERSION,
      ...headersFor(target),
      'Upload-Length': String(file.size),
      'Upload-Metadata': described.join(','),
    },
  });
  const location = answer.header('location');
  if (answer.status === 201 && location !== null) return new URL(location, baseOf(target.origin)).href;
  if (answer.status === 404 || answer.status === 405) throw new Unknown();
  throw refused(task, answer);
}

/** Not as a header: proxies put ids of their own into `X-Request-Id`. */
function queryOf(answers: PartsTask['answers']): string {
  if (answers === undefined) return '';
  const { request, ticket } = answers;
  return `?${new URLSearchParams({ request, ...(ticket === null ? {} : { ticket }) })}`;
}

/** An address to resolve relative ones against; a page has its own. */
const baseOf = (origin: string): string => (origin === '' ? globalThis.location.href : origin);

/** How much of an upload the server has. */
export async function offsetAt(task: PartsTask, address: string): Promise<number> {
  const answer = await ask({ method: 'HEAD', url: address, headers: VERSION, ...signalOf(task) });
  if (answer.status === 404 || answer.status === 410) throw new Gone();
  const offset = Number(answer.header('upload-offset') ?? Number.NaN);
  if (answer.status === 200 && Number.isSafeInteger(offset)) return offset;
  throw refusalOf(answer.status, 'The server does not say where to continue', answer.header('retry-after'));
}

/** Sends the next part from `offset` on; returns where the one after it begins. */
export async function sendPart(task: PartsTask, address: string, offset: number): Promise<number> {
  const part = await task.file.slice(offset, offset + PART_BYTES);
  let thrown: { readonly error: unknown } | null = null;
  const answer = await ask({
    method: 'PATCH',
    url: address,
    headers: {
      ...VERSION,
      ...languageOf(task.target),
      'Upload-Offset': String(offset),
      'Content-Type': 'application/offset+octet-stream',
    },
    body: part,
    onSent: (bytes) => {
      try {
        tell(task, offset + bytes);
      } catch (error) {
        thrown ??= { error };
      }
    },
    ...signalOf(task),
  });
  if (thrown !== null) throw new CallerFailed((thrown as { readonly error: unknown }).error);
  if (answer.status === 404 || answer.status === 410) throw new Gone();
  if (answer.status !== 204) throw refused(task, answer);
  return Number(answer.header('upload-offset') ?? offset + part.size);
}

/** Frees what the server has of an upload; it does so itself after a day. */
export async function endAt(address: string): Promise<void> {
  await ask({ method: 'DELETE', url: address, headers: VERSION }).catch(() => undefined);
}

/**
 * Sends a request again while there is no answer, or one that will pass. One on its way gets its answer although the
 * task is aborted meanwhile, so that what the server has begun is known.
 */
async function insist(task: PartsTask, request: PartRequest): Promise<PartAnswer> {
  const patience = patienceOf(task);
  for (;;) {
    try {
      task.signal?.throwIfAborted();
      const answer = await askToTheEnd(request, task.signal);
      // The caller decides about limits: it may have to say so, and wait for long.
      if (!isPassing(answer.status) || answer.status === 429) return answer;
      throw refused(task, answer);
    } catch (error) {
      await patience.wait(error);
    }
  }
}

/** The error of an answer that is not the one hoped for. */
function refused({ target }: PartsTask, answer: PartAnswer): HoldallError {
  const retryAfter = answer.header('retry-after');
  try {
    messageOf(target.origin, answer.status, answer.text, retryAfter);
  } catch (error) {
    if (error instanceof HoldallError && error.reason !== 'UNEXPECTED') return error;
  }
  const { message, reason } = unexpected(target.origin, answer.status);
  return new HoldallError(message, { status: answer.status, reason, retryAfter: secondsOf(retryAfter) });
}

/** Text as UTF-8 in base64. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
