import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { type MediaFacts, MediaStopped, MediaUnsupported } from '../../base/ports/media/media.js';
import type { ToolResult } from '../../base/ports/media/picture-tools.js';
import type { VideoTool } from '../../base/ports/media/video-tools.js';
import type { Context } from '../../core/context.js';
import { refuseStopped, type StagedUpload, unlessSlow } from '../image/public.js';

const ABSENT = 'Video tools are not available on this server; change the video before you upload it';

/** Tools that change what is seen. */
const OF_PICTURES: ReadonlySet<VideoTool['tool']> = new Set([
  'resize',
  'rotate',
  'gif',
  'thumbnail',
  'mute',
  'strip-audio',
  'stabilize',
  'fps',
]);

/** The work of the video tools; refused if this server has none. */
export const requireVideoTools = ({ app }: Context) => app.media.changeVideo ?? fail('NOT_AVAILABLE', ABSENT);

/** Changes a video or a sound, until the client leaves. */
export async function changeVideo(
  ctx: Context,
  { blob, originalName }: StagedUpload,
  change: VideoTool,
): Promise<ToolResult> {
  const work = requireVideoTools(ctx);
  if (blob.size === 0) fail('FILE_EMPTY');
  const leaving = new AbortController();
  ctx.onFinished(() => leaving.abort());
  const facts = await ctx.app.media.probe(blob.path, blob.content, originalName);
  if (facts.kind !== 'video' && facts.kind !== 'audio')
    fail('UNSUPPORTED', 'This file is no video or sound; choose one, such as an MP4');
  if (facts.kind === 'audio' && OF_PICTURES.has(change.tool))
    fail('UNSUPPORTED', 'This file has no picture; choose a video');
  requireInside(change, facts);
  const holder = (await ctx.caller())?.id ?? ctx.network();
  try {
    return await unlessSlow(
      ctx.app,
      `${change.tool}:${blob.sha256}`,
      () =>
        ctx.app.limits.videoTools(String(holder), async () => {
          if (leaving.signal.aborted) fail('UNAVAILABLE');
          return work(blob.path, facts, change, leaving.signal);
        }),
      leaving.signal,
    );
  } catch (error) {
    if (error instanceof MediaStopped) refuseStopped(error);
    if (error instanceof MediaUnsupported)
      fail('UNSUPPORTED', {
        message: 'This file cannot be processed; convert it to MP4 and try again',
        cause: error,
      });
    throw error;
  }
}

function requireInside(change: VideoTool, { durationMs }: MediaFacts): void {
  if (durationMs === null) return;
  const at = 'start' in change ? change.start : 'timestamp' in change ? change.timestamp : 0;
  if (at > 0 && at * 1000 >= durationMs)
    fail(
      'INVALID',
      localizable('The video ends after {seconds} seconds; choose an earlier time', {
        seconds: Math.floor(durationMs / 100) / 10,
      }),
    );
}
