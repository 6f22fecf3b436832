import type { MediaFacts } from '../../../../routers/base/ports/media/media.js';
import { ffmpeg } from './ffmpeg.js';

/** Whether a line describes a stream of this kind. */
const isStream = (line: string, kind: 'Video' | 'Audio'): boolean =>
  line.includes('Stream #') && line.includes(`: ${kind}: `);

/**
 * Dimensions and duration of a video or sound as FFmpeg describes them, which knows containers and codecs that nothing else
 * here knows. Nothing if it is not installed.
 */
export async function described(path: string): Promise<Partial<MediaFacts>> {
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
