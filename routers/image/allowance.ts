import type { Context, Settings } from '../context.js';
import { readableSize } from '../embed.js';
import { fail } from '../errors.js';
import { ABILITIES } from '../roles.js';
import { type AccountContext, requireCaller } from '../trpc.js';
import type { StagedUpload } from './staged.js';

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

/** Maximum bytes before the caller has sent a credential (contract §5). */
const UNPROVEN_BYTES = 8 * 1024 * 1024;
/**
 * The largest profile picture; equal to `UNPROVEN_BYTES`, so that the limit does not depend on when the key arrives.
 */
const PICTURE_BYTES = UNPROVEN_BYTES;

/** Fails with 413 for a file above the upload limit. */
export const refuseSize = ({ maxUploadBytes }: Settings, cause?: unknown): never =>
  fail('TOO_LARGE', { message: `A file can be at most ${readableSize(maxUploadBytes)}`, cause });

/** Allows an upload; fails for callers who may not upload or have uploaded too much recently. */
export async function allowUpload(ctx: Context): Promise<Allowance> {
  if ((await ctx.caller()) === null) return unproven(ctx.app.settings);
  const { id } = await requireCaller(ctx, ABILITIES.create);
  await ctx.app.limits.rates.take('create', String(id));
  return whole(ctx.app.settings, true);
}

/** Allows a profile picture; fails for callers who may not have one. */
export async function allowPicture(ctx: Context): Promise<Allowance> {
  const { settings } = ctx.app;
  if ((await ctx.caller()) === null) return unproven(settings);
  await requireCaller(ctx, ABILITIES.create);
  if (settings.maxUploadBytes <= PICTURE_BYTES) return whole(settings, false);
  return {
    maxBytes: PICTURE_BYTES,
    proven: true,
    counted: false,
    refuse: (cause) =>
      fail('TOO_LARGE', {
        message: `A profile picture can be at most ${readableSize(PICTURE_BYTES)}`,
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
const unproven = (settings: Settings): Allowance =>
  settings.maxUploadBytes <= UNPROVEN_BYTES
    ? { ...whole(settings, false), proven: false }
    : {
        maxBytes: UNPROVEN_BYTES,
        proven: false,
        counted: false,
        refuse: (cause) => fail('UPLOAD_UNAUTHENTICATED', { cause }),
      };
