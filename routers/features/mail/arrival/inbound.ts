import { z } from 'zod';
import { DomainError, fail } from '../../../base/errors.js';
import { InboundRefused, type MessageSource } from '../../../base/ports/mail/mail.js';
import type { Context, Services } from '../../../core/context.js';
import { type StagedUpload, stagedUploadInput } from '../../image/public.js';
import { type Arrival, takeArrival } from './arrival.js';
import { noteRefused, requireRefused } from './token.js';
import { canWait, queueArrival } from './waiting.js';

const CODES = { forged: 'MAIL_FORGED', stale: 'MAIL_STALE', malformed: 'INVALID' } as const;

/** Runs a reader of inbound mail; its refusals become 401, 406 or 400. */
async function readingMail<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InboundRefused) fail(CODES[error.reason], { message: error.message, cause: error });
    throw error;
  }
}

/** How long the queue tries to fetch the attachments of a mail, and to have them scanned, before it is stored without them. */
const PATIENCE_MS = 20 * 60 * 60 * 1000;

const part = z.object({ field: z.string(), upload: stagedUploadInput });

/** A request that delivers a mail. */
export const inboundInput = z.object({
  /** `X-Email-Token`; if present, the caller is a mail worker. */
  workerToken: z.string().max(1000).nullish(),
  fields: z.record(z.string(), z.unknown()),
  /** The JSON of an object that is too large to be parsed by the transport, instead of `fields`. */
  object: stagedUploadInput.nullish(),
  parts: z.array(part).default([]),
});
type InboundInput = z.output<typeof inboundInput>;

/**
 * Requests that were admitted before their body, and have not been received yet, with what failed if they could not be
 * counted.
 */
const admitted = new WeakMap<Context, { readonly uncounted: unknown }>();

/**
 * Refuses calls before their body is read: for a form that is not configured, a wrong worker token (401), or
 * an address that has sent too many forgeries (429). A form that cannot be counted now is read before it is refused:
 * nobody will take it later unless it is known that it came in time.
 */
export async function admitMail(ctx: Context, workerToken: string | null): Promise<void> {
  const { app, network } = ctx;
  let uncounted: unknown = null;
  try {
    await app.limits.rates.take('mailForged', network());
  } catch (error) {
    if (workerToken !== null || isTooMany(error)) throw error;
    uncounted = error;
  }
  await readingMail(() => app.mail.inbound.admit(workerToken));
  admitted.set(ctx, { uncounted });
}

/** Runs `work` for a call that was counted as a forgery in advance; refunds it if the call fails for another reason. */
export async function asGenuine<T>({ app, network }: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError && error.reason === 'MAIL_FORGED'))
      await app.limits.rates.refund('mailForged', network());
    throw error;
  }
}

/** Receives a mail from a provider's route or from a mail worker; it is durable before the response. */
export async function receiveMail(ctx: Context, input: InboundInput): Promise<void> {
  const { app, network } = ctx;
  // In a batch, each call is a separate mail.
  const admission = admitted.get(ctx);
  if (admission === undefined) await app.limits.rates.take('mailForged', network());
  admitted.delete(ctx);
  const uncounted = admission?.uncounted ?? null;
  if (uncounted !== null) return refuseUncounted(app, input, uncounted);
  const arrival = await asGenuine(ctx, () => readingMail(() => read(app, input)));
  try {
    await app.limits.rates.refund('mailForged', network());
    if (arrival.late) await requireRefused(app, arrival);
    await takeOrQueue(app, arrival);
  } catch (error) {
    // What comes late was remembered when it came in time.
    if (!arrival.late && !isMisused(error)) await noteRefused(app, arrival);
    throw error;
  }
}

async function takeOrQueue(app: Services, arrival: Arrival): Promise<void> {
  try {
    await takeArrival(app, { ...arrival, counted: true });
  } catch (error) {
    if (!canWait(arrival, error)) throw error;
    app.log.warn({ err: error }, 'attachments of a mail cannot be fetched or looked at yet');
    await queueArrival(app, arrival, Date.now() + PATIENCE_MS);
  }
}

const isTooMany = (error: unknown): boolean =>
  error instanceof DomainError && error.reason === 'TOO_MANY_REQUESTS';
const isMisused = (error: unknown): boolean => error instanceof DomainError && error.reason === 'MAIL_STALE';

/** Refuses a mail whose call could not be counted, without a word on its signature; one that is genuine may come again. */
async function refuseUncounted(app: Services, input: InboundInput, error: unknown): Promise<never> {
  const arrival = await read(app, input).catch(() => null);
  if (arrival?.late === false) await noteRefused(app, arrival);
  throw error;
}

const sourceOf = ({ blob }: StagedUpload): MessageSource => blob.content ?? blob.path;

async function read(
  app: Services,
  { workerToken = null, fields, object, parts }: InboundInput,
): Promise<Arrival & { readonly late: boolean }> {
  const files = parts.map(({ field, upload }) => ({
    field,
    filename: upload.originalName ?? '',
    contentType: upload.declaredType ?? '',
    size: upload.blob.size,
    source: sourceOf(upload),
  }));
  const form = { fields, parts: files, ...(object == null ? {} : { object: sourceOf(object) }) };
  return { ...(await app.mail.inbound.read(form, workerToken)), parts };
}
