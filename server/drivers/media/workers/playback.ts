import type { MediaFacts } from '../../../../routers/base/ports/media/media.js';
import { driverOf } from '../formats/index.js';
import { readFacts } from '../probe.js';
import { withFile } from '../source.js';
import { described } from './described.js';
import { soundingSeconds } from './frames.js';
import type { TaskRunner } from './tasks.js';

type Facts = Partial<MediaFacts>;

/** Reads dimensions and duration from the container; one without video is audio. */
export const playback: TaskRunner<'playback'> = ({ path }) =>
  withFile(path, async (source) => {
    const { extension } = await readFacts(source);
    const { stream, demuxer } = driverOf(extension);
    if (stream !== undefined) return { durationMs: milliseconds(await soundingSeconds(source, stream)) };
    const known = await containerFacts(path).catch(() => null);
    if (known !== null && !isPart(known, demuxer)) return known;
    return { ...known, ...(await described(path)) };
  });

/**
 * Whether more may be in the file: mediabunny leaves out streams of unknown codecs in these containers, and fragments of a
 * movie whose index has samples.
 */
const isPart = ({ durationMs, kind }: Facts, demuxer: string | undefined): boolean =>
  durationMs == null ||
  demuxer === 'mov' ||
  (kind === 'audio' && (demuxer === 'mpegts' || demuxer === 'ogg'));

async function containerFacts(path: string): Promise<Facts> {
  const { ALL_FORMATS, FilePathSource, HLS, Input, MPEG_TS } = await import('mediabunny');
  // A playlist names other files, which would be opened wherever they are on this machine. The formats of its parts
  // (MP4 and transport streams) name none.
  const formats = ALL_FORMATS.filter((format) => format !== HLS);
  const input = new Input({ formats, source: new FilePathSource(path) });
  try {
    const [video, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    if (video === null && sound === null) return {};
    const end = (await input.getDurationFromMetadata()) ?? (await input.computeDuration());
    // The clock of a transport stream runs since the broadcast began.
    const start = (await input.getFormat()) === MPEG_TS ? await input.getFirstTimestamp() : 0;
    const durationMs = milliseconds(end - start);
    if (video === null) return { durationMs, kind: 'audio' };
    return { durationMs, width: await video.getDisplayWidth(), height: await video.getDisplayHeight() };
  } finally {
    input.dispose();
  }
}

const milliseconds = (seconds: number): number | null =>
  Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null;
