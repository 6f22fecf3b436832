import { FORMATS } from '../../../../routers/base/ports/media/formats.js';

/** How FFmpeg writes a container. */
export interface Container {
  readonly extension: string;
  readonly mimeType: string;
  readonly muxer: string;
  /** Options of the encoders; null if there is no such stream. */
  readonly video: readonly string[] | null;
  readonly audio: readonly string[];
  readonly options?: readonly string[];
}

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'] as const;
const VP9 = [
  '-c:v',
  'libvpx-vp9',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-crf',
  '32',
  '-b:v',
  '0',
] as const;
const AAC = ['-c:a', 'aac'] as const;
const MP3 = ['-c:a', 'libmp3lame'] as const;
/** The index of a movie at its front, so that it plays while it loads. */
const INDEX_FIRST = ['-movflags', '+faststart'] as const;

/** Everything that the tools write, by its name. */
export const CONTAINERS = {
  mp4: container('mp4', FORMATS.mp4.mimeType, 'mp4', H264, AAC, INDEX_FIRST),
  mov: container('mov', FORMATS.mov.mimeType, 'mov', H264, AAC, INDEX_FIRST),
  mkv: container('mkv', FORMATS.mkv.mimeType, 'matroska', H264, AAC),
  avi: container('avi', FORMATS.avi.mimeType, 'avi', H264, MP3),
  ts: container('ts', FORMATS.mts.mimeType, 'mpegts', H264, AAC),
  webm: container('webm', FORMATS.webm.mimeType, 'webm', VP9, ['-c:a', 'libopus']),
  mp3: container('mp3', FORMATS.mp3.mimeType, 'mp3', null, MP3),
  wav: container('wav', FORMATS.wav.mimeType, 'wav', null, ['-c:a', 'pcm_s16le']),
  aac: container('aac', FORMATS.aac.mimeType, 'adts', null, AAC),
  ogg: container('ogg', FORMATS.ogg.mimeType, 'ogg', null, ['-c:a', 'libvorbis']),
  flac: container('flac', FORMATS.flac.mimeType, 'flac', null, ['-c:a', 'flac']),
  m4a: container('m4a', FORMATS.m4a.mimeType, 'ipod', null, AAC, INDEX_FIRST),
} as const;
type ContainerName = keyof typeof CONTAINERS;

function container(
  extension: string,
  mimeType: string,
  muxer: string,
  video: Container['video'],
  audio: Container['audio'],
  options: readonly string[] = [],
): Container {
  return { extension, mimeType, muxer, video, audio, options };
}

const SAME: Readonly<Record<string, ContainerName>> = {
  mp4: 'mp4',
  m4v: 'mp4',
  mov: 'mov',
  mkv: 'mkv',
  avi: 'avi',
  mts: 'ts',
  webm: 'webm',
  mp3: 'mp3',
  wav: 'wav',
  aac: 'aac',
  ogg: 'ogg',
  opus: 'ogg',
  flac: 'flac',
  m4a: 'm4a',
};

/** The container of a stored extension, if the tools write it. */
export const containerOf = (extension: string): ContainerName | undefined => SAME[extension];
