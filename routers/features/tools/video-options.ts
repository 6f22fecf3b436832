import { z } from 'zod';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { rule } from '../../base/language/rules.js';
import {
  AUDIO_FORMATS,
  FRAME_FORMATS,
  TURNS,
  VIDEO_FORMATS,
  type VideoTool,
} from '../../base/ports/media/video-tools.js';

/** The tools for videos and sound. */
export const VIDEO_TOOLS = [
  'trim',
  'compress',
  'convert',
  'resize',
  'extract-audio',
  'volume',
  'speed',
  'rotate',
  'gif',
  'thumbnail',
  'mute',
  'strip-audio',
  'reverse',
  'stabilize',
  'fps',
] as const;
type VideoToolName = (typeof VIDEO_TOOLS)[number];

const whole = (min: number, max: number, standard: number) => z.int().min(min).max(max).default(standard);

/** A position in a video: `HH:MM:SS`, with fewer parts and decimals as well; becomes seconds. */
const position = (standard: string) =>
  z
    .string()
    .trim()
    .regex(/^(?:(?:\d{1,3}:)?\d{1,4}:)?\d{1,6}(?:\.\d{1,6})?$/, rule('use HH:MM:SS'))
    .default(standard)
    .transform((text) => text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0));

/** The fields of all tools with their defaults; each tool reads its own. Absent ones depend on the tool. */
export const videoOptions = {
  start: position('00:00:00'),
  end: position('00:00:30'),
  timestamp: position('00:00:05'),
  duration: z.number().min(1).max(30).default(5),
  crf: whole(0, 51, 23),
  videoBitrate: whole(100, 50_000, 2_000),
  audioBitrate: whole(32, 320, 128),
  bitrate: whole(32, 320, 192),
  format: z.string().trim().toLowerCase().max(10).optional(),
  width: z.int().min(1).max(7680).optional(),
  height: whole(1, 4320, 1080),
  mode: z.enum(['fit', 'fill', 'cover']).default('fit'),
  level: z.number().min(0).max(500).default(150),
  factor: z.number().min(0.25).max(4).default(2),
  adjustAudio: z.boolean().default(true),
  rotation: z.enum(TURNS).default('90'),
  strength: whole(1, 30, 10),
  fps: z.number().min(1).max(120).optional(),
};
const options = z.object(videoOptions);

/** The change that a tool with these fields makes. */
export function videoChangeOf(tool: VideoToolName, given: z.output<typeof options>): VideoTool {
  switch (tool) {
    case 'trim':
      if (given.end <= given.start) fail('INVALID', 'end: must be after start');
      return { tool, start: given.start, end: given.end };
    case 'compress':
      return { tool, crf: given.crf, videoBitrate: given.videoBitrate, audioBitrate: given.audioBitrate };
    case 'convert':
      return { tool, format: oneOf(VIDEO_FORMATS, given.format) };
    case 'resize':
      return { tool, width: given.width ?? 1920, height: given.height, mode: given.mode };
    case 'extract-audio':
      return { tool, format: oneOf(AUDIO_FORMATS, given.format), bitrate: given.bitrate };
    case 'volume':
      return { tool, level: given.level };
    case 'speed':
      return { tool, factor: given.factor, adjustAudio: given.adjustAudio };
    case 'rotate':
      return { tool, rotation: given.rotation };
    case 'gif': {
      const width = within(given.width ?? 480, 100, 1920);
      return {
        tool,
        start: given.start,
        duration: given.duration,
        width,
        fps: within(given.fps ?? 15, 5, 30),
      };
    }
    case 'thumbnail':
      return { tool, timestamp: given.timestamp, format: oneOf(FRAME_FORMATS, given.format) };
    case 'stabilize':
      return { tool, strength: given.strength };
    case 'fps':
      return { tool, fps: given.fps ?? 30 };
    default:
      return { tool };
  }
}

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The first one is the default. */
function oneOf<Format extends string>(
  formats: readonly [Format, ...Format[]],
  asked: string | undefined,
): Format {
  const wanted = asked === 'jpeg' ? 'jpg' : (asked ?? formats[0]);
  const found = formats.find((format) => format === wanted);
  return found ?? fail('INVALID', localizable('format: use {known}', { known: formats.join(', ') }));
}
