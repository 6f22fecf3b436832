import type { TaskRunner } from './tasks.js';

/** Reads dimensions and duration from the container; one without video is audio. */
export const playback: TaskRunner<'playback'> = async ({ path }) => {
  const { ALL_FORMATS, FilePathSource, HLS_FORMATS, Input } = await import('mediabunny');
  // A playlist names other files, which would be opened wherever they are on this machine.
  const formats = ALL_FORMATS.filter((format) => !HLS_FORMATS.includes(format));
  const input = new Input({ formats, source: new FilePathSource(path) });
  try {
    const [video, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    if (video === null && sound === null) return {};
    const seconds = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    const durationMs = Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null;
    if (video === null) return { durationMs, kind: 'audio' };
    return { durationMs, width: await video.getDisplayWidth(), height: await video.getDisplayHeight() };
  } finally {
    input.dispose();
  }
};
