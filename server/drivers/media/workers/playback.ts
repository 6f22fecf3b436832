import type { MediaFacts } from '../../../../routers/base/ports/media/media.js';
import { driverOf } from '../formats/index.js';
import { readFacts } from '../probe.js';
import { withFile } from '../source.js';
import { ffmpeg } from './ffmpeg.js';
import { soundingSeconds } from './frames.js';
import type { TaskRunner } from './tasks.js';

/** Whether a line describes a stream of this kind. */
const isStream = (line: string, kind: 'Video' | 'Audio'): boolean =>
  line.includes('Stream #') && line.includes(`: ${kind}: `);

/**
 * Dimensions and duration of a video or sound as FFmpeg describes them, which knows containers and codecs that nothing else
 * here knows. Nothing if it is not installed.
 */
async function described(path: string): Promise<Partial<MediaFacts>> {
  const lines: string[] = [];
  try {
    await ffmpeg(path, [], null, 0, (line) => lines.push(line));
  } catch {
    return {};
  }
  const durationMs = lines.map(durationOf).find((found) => found !== null);
  const length = durationMs === undefined ? {} : { durationMs };
  const at = lines.findIndex((line) => isStream(line, 'Video') && !line.includes('(attached pic)'));
  if (at === -1) return lines.some((line) => isStream(line, 'Audio')) ? { ...length, kind: 'audio' } : {};
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.includes('Stream #'));
  const size = sizeOf(lines[at] ?? '', rest.slice(0, end === -1 ? rest.length : end).join('\n'));
  return { ...length, ...size, kind: 'video' };
}

function durationOf(line: string): number | null {
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d\d):(\d\d\.\d+)/.exec(line) ?? [];
  if (seconds === undefined) return null;
  const whole = Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
  return whole > 0 ? whole : null;
}

/** As displayed: in its proportions and upright. */
function sizeOf(stream: string, beside: string): Pick<MediaFacts, 'width' | 'height'> | null {
  const [, coded, high, across = '1', down = '1'] =
    /, (\d{1,5})x(\d{1,5})(?: \[SAR (\d+):(\d+) DAR [\d:]+\])?(?:,|$)/.exec(stream) ?? [];
  const width = Math.round((Number(coded) * Number(across)) / Math.max(1, Number(down)));
  const height = Number(high);
  if (!(width > 0 && height > 0)) return null;
  return /rotation of -?(?:90|270)\./.test(beside) ? { width: height, height: width } : { width, height };
}

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
