import type { Context, Settings } from '../context.js';
import { readableSize } from '../embed.js';
import { fail } from '../errors.js';
import { ABILITIES } from '../roles.js';
import { type AccountContext, requireCaller } from '../trpc.js';
import type { StagedUpload } from './staged.js';

/** How much of a file may come, as it is decided before any of it does. */
export interface Allowance {
  readonly maxBytes: number;
  /** Something valid was shown for it. */
  readonly proven: boolean;
  /** The limit of its sender has counted it. */
  readonly counted: boolean;
  /** Ends the request when more comes. */
  refuse(cause: unknown): never;
}

/** What may arrive before anything proves who sends it (contract §5). */
const UNPROVEN_BYTES = 8 * 1024 * 1024;
/** The largest picture of an account; equal to `UNPROVEN_BYTES`, so that the limit does not depend on when the key arrives. */
const PICTURE_BYTES = UNPROVEN_BYTES;

/** Refuses with 413 a file larger than any that is taken. */
export const refuseSize = ({ maxUploadBytes }: Settings, cause?: unknown): never =>
  fail('TOO_LARGE', { message: `A file has at most ${readableSize(maxUploadBytes)}`, cause });

/** Lets a file come that its sender stores; refuses whoever may not, or has stored too much lately. */
export async function allowUpload(ctx: Context): Promise<Allowance> {
  if ((await ctx.caller()) === null) return unproven(ctx.app.settings);
  const { id } = await requireCaller(ctx, ABILITIES.create);
  await ctx.app.limits.take('create', String(id));
  return whole(ctx.app.settings, true);
}

/** Lets the picture of an account come; refuses whoever may have none. */
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
      fail('TOO_LARGE', { message: `A picture has at most ${readableSize(PICTURE_BYTES)}`, cause }),
  };
}

/** Counts an upload against the limit of its account, unless that was done before its file came. */
export async function countUpload({ app, account }: AccountContext, file: StagedUpload): Promise<void> {
  if (!file.counted) await app.limits.take('create', String(account.id));
}

const whole = (settings: Settings, counted: boolean): Allowance => ({
  maxBytes: settings.maxUploadBytes,
  proven: true,
  counted,
  refuse: (cause) => refuseSize(settings, cause),
});

/** A form may still name its key behind the file; until then a file is small. */
const unproven = (settings: Settings): Allowance =>
  settings.maxUploadBytes <= UNPROVEN_BYTES
    ? { ...whole(settings, false), proven: false }
    : {
        maxBytes: UNPROVEN_BYTES,
        proven: false,
        counted: false,
        refuse: (cause) => fail('UPLOAD_UNAUTHENTICATED', { cause }),
      };
