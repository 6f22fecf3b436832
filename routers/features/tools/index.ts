import { z } from 'zod';
import { readableSize } from '../../base/embed.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { MediaBusy, type MediaFacts, MediaStopped, MediaUnsupported } from '../../base/ports/media/media.js';
import type { ToolResult } from '../../base/ports/media/picture-tools.js';
import type { Context } from '../../core/context.js';
import { displayName } from '../../core/items/file-names.js';
import { open, requireCaller, router } from '../../core/trpc.js';
import {
  type Allowance,
  refuseStopped,
  type StagedUpload,
  stagedUploadInput,
  unlessSlow,
} from '../image/public.js';
import { changeOf, IMAGE_TOOLS, type ImageTool, toolOptions } from './options.js';
import { changeVideo, requireVideoTools } from './video.js';
import { VIDEO_TOOLS, videoChangeOf, videoOptions } from './video-options.js';

const MAX_BYTES = 50 * 1024 * 1024;
/** For callers without an account. */
const MAX_OPEN_BYTES = 20 * 1024 * 1024;
/** For videos. */
const MAX_VIDEO_BYTES = 500 * 1024 * 1024;
const MAX_OPEN_VIDEO_BYTES = 100 * 1024 * 1024;

/** A changed file: a temporary file that lives until the response is over. */
const toolOutput = z.object({
  path: z.string(),
  size: z.int(),
  mimeType: z.string(),
  filename: z.string(),
});

const origin = z.string().max(500).nullish();

/** For callers who may use the tools, checked before the rest of the input. */
const toolUser = open(null, 'whilePaused').use(async ({ ctx, getRawInput, next }) => {
  const given = z.object({ origin }).safeParse(await getRawInput());
  await requireToolUser(ctx, given.data?.origin ?? null);
  return next();
});

/** Changes of files that are sent back and not stored (contract §6, Image tools). */
export const toolsRouter = router({
  image: toolUser
    .input(z.object({ tool: z.enum(IMAGE_TOOLS), file: stagedUploadInput, origin, ...toolOptions }))
    .output(toolOutput)
    .mutation(async ({ ctx, input: { tool, file, origin: _, ...options } }) => {
      const result = await ctx.app.limits.renditions(() => apply(ctx, tool, file, options));
      return answerOf(ctx, result, file, tool);
    }),

  video: toolUser
    .input(z.object({ tool: z.enum(VIDEO_TOOLS), file: stagedUploadInput, origin, ...videoOptions }))
    .output(toolOutput)
    .mutation(async ({ ctx, input: { tool, file, origin: _, ...options } }) => {
      const result = await changeVideo(ctx, file, videoChangeOf(tool, options));
      return answerOf(ctx, result, file, tool);
    }),
});

/** Refuses callers without an account, except pages of a front end, which send no credentials. */
async function requireToolUser(ctx: Context, asked: string | null): Promise<'account' | 'page'> {
  if ((await ctx.caller()) === null && isFrontEnd(ctx, asked)) return 'page';
  await requireCaller(ctx);
  return 'account';
}

/** Whether an origin is that of a separate front end. */
export const isFrontEnd = ({ app }: Context, asked: string | null): boolean =>
  asked !== null && asked !== app.settings.origin && app.settings.corsOrigins.includes(asked);

function answerOf(ctx: Context, result: ToolResult, file: StagedUpload, tool: string) {
  ctx.onFinished(() => void result.discard());
  const { path, size, mimeType, extension } = result;
  return { path, size, mimeType, filename: nameFor(file, tool, extension) };
}

/** Decides before a picture arrives whether it may be sent, and counts it. */
export const allowTool = (ctx: Context, asked: string | null): Promise<Allowance> =>
  allow(ctx, asked, MAX_BYTES, MAX_OPEN_BYTES);

/** The same for a video or sound; refused if this server has no tools for them. */
export async function allowVideo(ctx: Context, asked: string | null): Promise<Allowance> {
  await requireToolUser(ctx, asked);
  requireVideoTools(ctx);
  return allow(ctx, asked, MAX_VIDEO_BYTES, MAX_OPEN_VIDEO_BYTES);
}

async function allow(ctx: Context, asked: string | null, most: number, mostOpen: number): Promise<Allowance> {
  const by = await requireToolUser(ctx, asked);
  if (by === 'page') await ctx.app.limits.rates.take('tool', ctx.network());
  else await ctx.app.limits.rates.take('create', String((await ctx.caller())?.id));
  const limit = by === 'page' ? mostOpen : most;
  const maxBytes = Math.min(limit, ctx.app.settings.maxUploadBytes);
  return {
    maxBytes,
    proven: true,
    counted: true,
    refuse: (cause) =>
      fail('TOO_LARGE', {
        message: localizable('The file can be at most {size}', { size: readableSize(maxBytes) }),
        cause,
      }),
  };
}

async function apply(
  { app }: Context,
  tool: ImageTool,
  { blob, originalName }: StagedUpload,
  options: Parameters<typeof changeOf>[1],
): Promise<ToolResult> {
  if (blob.size === 0) fail('FILE_EMPTY');
  const facts = await app.media.probe(blob.path, blob.content, originalName);
  if (facts.kind !== 'image')
    fail('UNSUPPORTED', 'This file is not a picture; choose one, such as a JPEG or PNG');
  try {
    if (tool === 'strip-metadata') return await app.media.withoutMetadata(blob.path, facts);
    requireInside(tool, facts, options);
    const changed = await unlessSlow(app, `${tool}:${blob.sha256}`, () =>
      app.media.change(blob.path, changeOf(tool, options)),
    );
    if (tool !== 'compress' || changed.size <= blob.size) return changed;
    // The picture was compressed well enough before.
    await changed.discard();
    return await app.media.withoutMetadata(blob.path, facts);
  } catch (error) {
    if (error instanceof MediaStopped) refuseStopped(error);
    if (error instanceof MediaUnsupported)
      fail('UNSUPPORTED', {
        message: 'This picture cannot be processed; convert it to JPEG or PNG and try again',
        cause: error,
      });
    if (error instanceof MediaBusy) fail('UNAVAILABLE', { retryAfter: 1, cause: error });
    throw error;
  }
}

function requireInside(
  tool: ImageTool,
  { width, height }: MediaFacts,
  { x, y, w, h }: Parameters<typeof changeOf>[1],
): void {
  if (tool !== 'crop' || width === null || height === null) return;
  if (x + w > width || y + h > height)
    fail(
      'INVALID',
      localizable('The area is not within the picture, which has {width} x {height} pixels', {
        width,
        height,
      }),
    );
}

/** `holiday_resize.jpg`, of letters that every system accepts. */
function nameFor(file: StagedUpload, tool: string, extension: string): string {
  const stem = (displayName(file.originalName) ?? 'image').replace(/\.[^.]*$/, '');
  const plain = stem.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 80);
  return `${plain === '' ? 'image' : plain}_${tool}.${extension}`;
}
