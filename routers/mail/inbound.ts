import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Context, Services } from '../context.js';
import { DomainError } from '../errors.js';
import { stagedUploadInput } from '../image/staged.js';
import { type Arrival, takeArrival } from './arrival.js';
import { readingMail } from './refusals.js';
import { noteRefused, requireRefused } from './token.js';
import { canWait, queueArrival } from './waiting.js';

/** How long the queue tries to fetch the attachments of a mail, and to have them scanned, before it is stored without them. */
const PATIENCE_MS = 20 * 60 * 60 * 1000;

const part = z.object({ field: z.string(), upload: stagedUploadInput });

export const inboundInput = z.object({
  /** `X-Email-Token`; if present, the caller is a mail worker. */
  workerToken: z.string().max(1000).nullish(),
  fields: z.record(z.string(), z.unknown()),
  parts: z.array(part).default([]),
});
type InboundInput = z.output<typeof inboundInput>;

/** Requests that were admitted before their body, and have not been received yet. */
const admitted = new WeakSet<Context>();

/**
 * Refuses calls before their body is read: for a form that is not configured, a wrong worker token (401), or
 * an address that has sent too many forgeries (429).
 */
export async function admitMail(ctx: Context, workerToken: string | null): Promise<void> {
  const { app, network } = ctx;
  await app.limits.rates.take('mailForged', network());
  await readingMail(() => app.mail.inbound.admit(workerToken));
  admitted.add(ctx);
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
  if (!admitted.delete(ctx)) await app.limits.rates.take('mailForged', network());
  const arrival = await asGenuine(ctx, () => readingMail(() => read(app, input)));
  await app.limits.rates.refund('mailForged', network());
  if (arrival.late) await requireRefused(app, arrival);
  try {
    await takeArrival(app, { ...arrival, counted: true });
  } catch (error) {
    if (canWait(arrival, error)) {
      app.log.warn({ err: error }, 'attachments of a mail cannot be fetched or looked at yet');
      return queueArrival(app, arrival, Date.now() + PATIENCE_MS);
    }
    if (!isMisused(error))
      await noteRefused(app, arrival).catch((cause: unknown) =>
        app.log.warn({ err: cause }, 'a mail that was refused for now could not be remembered'),
      );
    throw error;
  }
}

const isMisused = (error: unknown): boolean => error instanceof DomainError && error.reason === 'MAIL_STALE';

async function read(
  app: Services,
  { workerToken = null, fields, parts }: InboundInput,
): Promise<Arrival & { readonly late: boolean }> {
  const files = parts.map(({ field, upload }) => ({
    field,
    filename: upload.originalName ?? '',
    contentType: upload.declaredType ?? '',
    size: upload.blob.size,
    read: async () => upload.blob.content ?? (await readFile(upload.blob.path)),
  }));
  return { ...(await app.mail.inbound.read({ fields, parts: files }, workerToken)), parts };
}
