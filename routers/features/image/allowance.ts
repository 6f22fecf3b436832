import { readableSize } from '../../base/embed.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import type { AccountContext, Context } from '../../core/context.js';
import { quotaOf } from '../../core/quotas/spend.js';
import type { Settings } from '../../core/settings.js';
import { requireCreator, requireEntry } from '../../core/trpc.js';
import type { StagedUpload } from './upload/staged.js';

/** How large a file may be, decided before any of it is received. */
export interface Allowance {
  readonly maxBytes: number;
  /** Whether the caller has already sent a valid credential. */
  readonly proven: boolean;
  /** Whether it already counts against the caller's limit. */
  readonly counted: boolean;
  /** Ends the request if the file is larger. */
  refuse(cause: unknown): never;
}

/** The part of a request that announces the size of its body. */
interface Announcing {
  header(name: string): string | null;
}

/** Maximum bytes before the caller has sent a credential (contract §5). */
const UNPROVEN_BYTES = 8 * 1024 * 1024;
/**
 * The largest profile picture; equal to `UNPROVEN_BYTES`, so that the limit does not depend on when the key arrives.
 */
const PICTURE_BYTES = UNPROVEN_BYTES;

/** Fails with 413 for a file above the upload limit. */
export const refuseSize = ({ maxUploadBytes }: Settings, cause?: unknown): never =>
  fail('TOO_LARGE', {
    message: localizable('A file can be at most {size}', { size: readableSize(maxUploadBytes) }),
    cause,
  });

/**
 * Allows an upload; fails for callers who may not upload, have uploaded too much recently, or have no room for it
 * under the limits of their account.
 */
export async function allowUpload(ctx: Context, request?: Announcing): Promise<Allowance> {
  const { settings } = ctx.app;
  if ((await ctx.caller()) === null) return unproven(ctx);
  const { id } = await requireCreator(ctx);
  const quota = await quotaOf(ctx.app, id, 'IMAGE');
  const full = quota.excess({ count: 1, bytes: 0 });
  if (full !== null) throw full;
  await ctx.app.limits.rates.take('create', String(id));
  const allowed = whole(settings, true);
  // What a stranger may send too is received whatever the room, so that its refusal can name its size.
  const maxBytes = Math.max(quota.bytes ?? settings.maxUploadBytes, UNPROVEN_BYTES);
  if (maxBytes >= allowed.maxBytes) return allowed;
  const announced = Number(request?.header('content-length') ?? 0);
  const refuse = (cause?: unknown): never => {
    throw quota.excess({ count: 1, bytes: Math.max(announced, maxBytes + 1) }) ?? cause;
  };
  return { ...allowed, maxBytes, refuse };
}

/** Allows an archive; the limits of the account are checked for what it contains. */
export async function allowArchive(ctx: Context): Promise<Allowance> {
  const { settings, limits } = ctx.app;
  if ((await ctx.caller()) === null) return unproven(ctx);
  const { id } = await requireCreator(ctx);
  const full = (await quotaOf(ctx.app, id, 'IMAGE')).excess({ count: 1, bytes: 0 });
  if (full !== null) throw full;
  await limits.rates.take('create', String(id));
  return whole(settings, true);
}

/** Allows a profile picture; fails for callers who may not have one. */
export async function allowPicture(ctx: Context): Promise<Allowance> {
  const { settings } = ctx.app;
  if ((await ctx.caller()) === null) return unproven(ctx);
  await requireCreator(ctx);
  if (settings.maxUploadBytes <= PICTURE_BYTES) return whole(settings, false);
  return {
    maxBytes: PICTURE_BYTES,
    proven: true,
    counted: false,
    refuse: (cause) =>
      fail('TOO_LARGE', {
        message: localizable('A profile picture can be at most {size}', {
          size: readableSize(PICTURE_BYTES),
        }),
        cause,
      }),
  };
}

/** Counts an upload against the limit of its account, unless that was done before its file was received. */
export async function countUpload({ app, account }: AccountContext, file: StagedUpload): Promise<void> {
  if (!file.counted) await app.limits.rates.take('create', String(account.id));
}

const whole = (settings: Settings, counted: boolean): Allowance => ({
  maxBytes: settings.maxUploadBytes,
  proven: true,
  counted,
  refuse: (cause) => refuseSize(settings, cause),
});

/** A form may contain its key after the file; until then only a small file is accepted. */
async function unproven(ctx: Context): Promise<Allowance> {
  await requireEntry(ctx);
  const { settings } = ctx.app;
  return settings.maxUploadBytes <= UNPROVEN_BYTES
    ? { ...whole(settings, false), proven: false }
    : {
        maxBytes: UNPROVEN_BYTES,
        proven: false,
        counted: false,
        refuse: (cause) => fail('UPLOAD_UNAUTHENTICATED', { cause }),
      };
}
