import { HoldallError } from './error.js';
import { fingerprintOf } from './fingerprint.js';
import { patienceOf } from './parts/patience.js';
import { begin, endAt, offsetAt, sendPart } from './parts/requests.js';
import { Gone, isFinal, type PartsTask, signalOf, tell, Unknown } from './parts/task.js';
import { pause } from './pause.js';
import { messageOf, refusalOf } from './refusal.js';
import { ask } from './request.js';
import type { ImageRecord } from './router.js';
import { headersFor } from './target.js';

/** Larger files are sent in parts. */
export const RESUMABLE_FROM_BYTES = 8 * 1024 * 1024;
/** How often the server is asked whether it has stored a complete file. */
const FIRST_LOOK_MS = 150;
const LATER_LOOK_MS = 2_000;

/** Files being sent now, so that the same one sent twice does not continue the same upload. */
const underWay = new Set<string>();

/**
 * Sends a file in parts and returns its record. Continues where an earlier attempt of the same file with the same
 * options got to, and after every interruption of the connection or the server. Throws `HoldallError`.
 */
export async function sendInParts(task: PartsTask): Promise<ImageRecord> {
  try {
    return (await throughParts(task)).image ?? throwRemoved();
  } catch (error) {
    if (error instanceof Unknown && task.otherwise !== undefined) return await task.otherwise();
    throw error;
  }
}

/** As `sendInParts`, for a file that answers a request link: its sender learns only that it has arrived. */
export async function answerInParts(
  task: PartsTask & { readonly answers: NonNullable<PartsTask['answers']> },
): Promise<void> {
  try {
    // The receipt says that it has come to whoever asked for it.
    if ((await throughParts(task)).received === undefined) throwRemoved();
  } catch (error) {
    throw error instanceof Unknown ? forgotten() : error;
  }
}

async function throughParts(task: PartsTask): Promise<Settled> {
  const fingerprint = fingerprintOf(task);
  const isSecond = underWay.has(fingerprint);
  const memory = isSecond ? null : task.memory;
  underWay.add(fingerprint);
  try {
    return await complete({ ...task, memory }, fingerprint);
  } finally {
    if (!isSecond) underWay.delete(fingerprint);
  }
}

/** Forgets an unfinished upload, here and on the server. */
export async function abandonParts(task: PartsTask): Promise<void> {
  const fingerprint = fingerprintOf(task);
  const address = (await task.memory?.get(fingerprint)) ?? null;
  if (address === null) return;
  await task.memory?.delete(fingerprint);
  await endAt(address);
}

async function complete(task: PartsTask, fingerprint: string): Promise<Settled> {
  for (let attempt = 1; ; attempt += 1) {
    const known = (await task.memory?.get(fingerprint)) ?? null;
    const address = known ?? (await begin(task));
    if (known === null) await task.memory?.set(fingerprint, address);
    try {
      await sendAll(task, address, known === null ? 0 : null);
      const done = await settled(task, address);
      await task.memory?.delete(fingerprint);
      return done;
    } catch (error) {
      const isEnded = error instanceof Gone || (error instanceof HoldallError && isFinal(error.status));
      if (isEnded) await task.memory?.delete(fingerprint);
      // Nobody could continue it.
      if (task.memory === null && !(error instanceof Gone)) await endAt(address);
      // The server has forgotten it meanwhile, or never knew it; once, it is begun anew.
      if (!(error instanceof Gone) || attempt === 3) throw gone(error);
    }
  }
}

const gone = (error: unknown): unknown => (error instanceof Gone ? forgotten() : error);

const forgotten = (): HoldallError =>
  new HoldallError('The server has forgotten this upload, send the file again', {
    status: 404,
    reason: 'NOT_FOUND',
  });

const throwRemoved = (): never => {
  throw forgotten();
};

/** Sends everything from `offset`, or from where the server says. */
async function sendAll(task: PartsTask, address: string, from: number | null): Promise<void> {
  const { file } = task;
  const patience = patienceOf(task);
  let offset = from;
  while (offset === null || offset < file.size) {
    try {
      offset ??= await offsetAt(task, address);
      tell(task, offset);
      if (offset === file.size) return;
      offset = await sendPart(task, address, offset);
      patience.renew();
    } catch (error) {
      await patience.wait(error);
      offset = null;
    }
  }
  tell(task, file.size);
}

/** Waits until the server has made an item of the complete file. */
async function settled(task: PartsTask, address: string): Promise<Settled> {
  const patience = patienceOf(task);
  for (let look = FIRST_LOOK_MS; ; look = Math.min(look * 1.5, LATER_LOOK_MS)) {
    try {
      const answer = await ask({
        method: 'GET',
        url: address,
        headers: headersFor(task.target),
        ...signalOf(task),
      });
      if (answer.status === 404) throw new Gone();
      const upload = messageOf(task.target.origin, answer.status, answer.text, answer.header('retry-after'));
      const { state, image, reason } = upload as Settled;
      if (state === 'done' && image === undefined && task.answers === undefined) throw new Gone();
      if (state === 'done') return upload as Settled;
      if (state === 'failed') throw refusalOf(400, reason ?? 'The server could not store the file', null);
      patience.renew();
    } catch (error) {
      await patience.wait(error);
    }
    await pause(look, task.signal);
  }
}

interface Settled {
  readonly state: 'receiving' | 'processing' | 'done' | 'failed';
  readonly image?: ImageRecord;
  readonly received?: unknown;
  readonly reason?: string;
}
