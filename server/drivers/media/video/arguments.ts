import type { MediaFacts } from '../../../../routers/base/ports/media/media.js';
import type { VideoTool } from '../../../../routers/base/ports/media/video-tools.js';
import { CONTAINERS, type Container, containerOf } from './containers.js';

/** What FFmpeg is told: options of the input, options of the output, and what is written. */
export interface Job {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly extension: string;
  readonly mimeType: string;
}

/** H.264 halves the colours, so both sides must be even. */
const EVEN = "scale=w='max(2,trunc(iw/2)*2)':h='max(2,trunc(ih/2)*2)'";
const TURNS = {
  '90': 'transpose=clock',
  '180': 'hflip,vflip',
  '270': 'transpose=cclock',
  hflip: 'hflip',
  vflip: 'vflip',
} as const;
const FRAMES = {
  jpg: { mimeType: 'image/jpeg', coding: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'] },
  png: { mimeType: 'image/png', coding: ['-c:v', 'png'] },
  webp: { mimeType: 'image/webp', coding: ['-c:v', 'libwebp'] },
} as const;

/** The streams that are kept: one picture that is no cover, one sound. */
const PICTURE = ['-map', '0:V:0?'];
const SOUND = ['-map', '0:a:0?'];

/** How one change of a file is made. Every value is a number or one of a list, so nothing of a request is an option. */
export function jobOf(change: VideoTool, facts: Pick<MediaFacts, 'kind' | 'extension'>): Job {
  const same = CONTAINERS[containerOf(facts.extension) ?? (facts.kind === 'audio' ? 'mp3' : 'mp4')];
  const coded = (filters: Filters, more: readonly string[] = [], input: readonly string[] = []) =>
    written(same, input, filters, more);
  switch (change.tool) {
    case 'trim':
      return coded({}, [], ['-ss', String(change.start), '-t', String(change.end - change.start)]);
    case 'compress': {
      const most = `${change.videoBitrate}k`;
      const rate = same === CONTAINERS.webm ? ['-b:v', most] : ['-maxrate', most, '-bufsize', most];
      const picture = same.video === null ? [] : ['-crf', String(change.crf), ...rate];
      return coded({}, [...picture, '-b:a', `${change.audioBitrate}k`]);
    }
    case 'convert':
      return written(CONTAINERS[change.format]);
    case 'resize':
      return coded({ picture: resized(change) });
    case 'extract-audio': {
      const format = CONTAINERS[change.format];
      const rate = ['-b:a', `${change.bitrate}k`];
      return { ...named(format), input: [], output: ['-map', '0:a:0?', '-vn', ...coding(format), ...rate] };
    }
    case 'volume':
      return sounding(facts.extension, same, { sound: `volume=${change.level / 100}` });
    case 'speed': {
      const picture = `setpts=PTS/${change.factor}`;
      if (change.adjustAudio) return coded({ picture, sound: tempo(change.factor) });
      return facts.kind === 'audio' ? coded({}) : coded({ picture }, ['-an']);
    }
    case 'rotate':
      return coded({ picture: TURNS[change.rotation] });
    case 'gif':
      return gif(change);
    case 'thumbnail': {
      const { mimeType, coding: by } = FRAMES[change.format];
      const output = [...PICTURE, '-an', '-frames:v', '1', ...by, '-f', 'image2', '-update', '1'];
      return { input: ['-ss', String(change.timestamp)], output, extension: change.format, mimeType };
    }
    case 'mute':
    case 'strip-audio':
      return sounding(facts.extension, same, {}, ['-an']);
    case 'reverse':
      return coded({ picture: 'reverse', sound: 'areverse' });
    case 'stabilize': {
      const reach = Math.min(64, Math.ceil(change.strength / 5) * 16);
      return coded({ picture: `deshake=rx=${reach}:ry=${reach}` });
    }
    case 'fps':
      return coded({ picture: `fps=${change.fps}` });
  }
}

interface Filters {
  readonly picture?: string;
  readonly sound?: string;
}

const named = ({ extension, mimeType }: Container) => ({ extension, mimeType });
const coding = ({ muxer, video, audio, options = [] }: Container) => [
  ...(video ?? ['-vn']),
  ...audio,
  ...options,
  '-f',
  muxer,
];

/** Picture and sound, coded anew. */
function written(
  to: Container,
  input: readonly string[] = [],
  { picture, sound }: Filters = {},
  more: readonly string[] = [],
): Job {
  const filters = [
    ...(to.video === null ? [] : ['-vf', picture === undefined ? EVEN : `${picture},${EVEN}`]),
    ...(sound === undefined ? [] : ['-af', sound]),
  ];
  return { ...named(to), input, output: [...PICTURE, ...SOUND, ...filters, ...coding(to), ...more] };
}

/** Only the sound changes: the picture is copied if its container stays the same. */
function sounding(extension: string, to: Container, filters: Filters, more: readonly string[] = []): Job {
  const copies = to.video !== null && containerOf(extension) !== undefined && extension !== 'm4v';
  if (!copies) return written(to, [], filters, more);
  const sound = filters.sound === undefined ? [] : ['-af', filters.sound];
  const output = [...PICTURE, ...SOUND, ...sound, ...coding({ ...to, video: ['-c:v', 'copy'] }), ...more];
  return { ...named(to), input: [], output };
}

function resized({ width, height, mode }: Extract<VideoTool, { tool: 'resize' }>): string {
  const [w, h] = [even(width), even(height)];
  if (mode === 'fill') return `scale=${w}:${h},setsar=1`;
  const keeping = mode === 'cover' ? 'increase' : 'decrease';
  const scaled = `scale=w=iw*sar:h=ih,scale=${w}:${h}:force_original_aspect_ratio=${keeping}`;
  return `${scaled},${mode === 'cover' ? `crop=${w}:${h}` : `pad=${w}:${h}:-1:-1:black`},setsar=1`;
}
const even = (pixels: number) => Math.max(2, pixels - (pixels % 2));

/** Older versions of the filter take factors from a half on. */
const tempo = (factor: number) =>
  factor < 0.5
    ? `atempo=0.5,atempo=${factor / 0.5}`
    : factor > 2
      ? `atempo=2,atempo=${factor / 2}`
      : `atempo=${factor}`;

/** Every frame has colours of its own: common ones would need all frames in memory. */
function gif({ start, duration, width, fps }: Extract<VideoTool, { tool: 'gif' }>): Job {
  const frames = `fps=${fps},scale=${width}:-2:flags=lanczos,split[a][b]`;
  const colours = '[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1';
  return {
    input: ['-ss', String(start), '-t', String(duration)],
    output: [...PICTURE, '-an', '-vf', `${frames};${colours}`, '-loop', '0', '-f', 'gif'],
    extension: 'gif',
    mimeType: 'image/gif',
  };
}
