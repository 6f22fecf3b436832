import { rm, stat } from 'node:fs/promises';
import { type MediaFacts, MediaUnsupported } from '../../../../routers/base/ports/media/media.js';
import type { ToolResult } from '../../../../routers/base/ports/media/picture-tools.js';
import type { VideoTool } from '../../../../routers/base/ports/media/video-tools.js';
import { driverOf } from '../formats/index.js';
import type { TempFolder } from '../temp.js';
import { jobOf } from './arguments.js';
import { runFfmpeg } from './run.js';

/** Makes changes of videos and sound with an installed FFmpeg. */
export const videoChanges =
  (program: string, temp: TempFolder) =>
  async (path: string, facts: MediaFacts, change: VideoTool, signal: AbortSignal): Promise<ToolResult> => {
    const { demuxer } = driverOf(facts.extension);
    if (demuxer === undefined) throw new MediaUnsupported('no demuxer reads this format');
    const job = jobOf(change, facts);
    const made = await temp.fill(job.extension, (target) =>
      runFfmpeg(program, { path, demuxer, target, job }, signal),
    );
    const { extension, mimeType } = job;
    const { size } = await stat(made);
    return { path: made, size, mimeType, extension, discard: () => rm(made, { force: true }) };
  };
