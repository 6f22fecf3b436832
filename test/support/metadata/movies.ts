import type { Row } from './row.js';
import { PLACE_ISO } from './telltales.js';
import { filmed, PLAIN, packets, SCENE } from './tools.js';

const TAGS = [...['-metadata', `location=${PLACE_ISO}`]];

/** Encryption whose parameters are in the sample tables. */
const ENCRYPTED = [
  ...['-encryption_scheme', 'cenc-aes-ctr'],
  ...['-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb'],
  ...['-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8'],
];

/** A movie with the tags that ffmpeg writes into it. */
const withTags = (extension: string, carrier: string, args: readonly string[]): Row => ({
  format: extension.toUpperCase(),
  carrier,
  extension,
  make: () => filmed(extension, [...SCENE, ...TAGS, ...args]),
  same: packets,
});

/** Movies and sounds with the tags of programs. */
export const movies: readonly Row[] = [
  withTags('mp4', 'QuickTime keys', [...PLAIN, '-movflags', '+use_metadata_tags']),
  withTags('mp4', 'QuickTime keys, encrypted', [...PLAIN, ...ENCRYPTED, '-movflags', '+use_metadata_tags']),
  withTags('mov', 'user data', PLAIN),
  withTags('mkv', 'tags', PLAIN),
  withTags('webm', 'tags', ['-c:v', 'libvpx-vp9', '-c:a', 'libopus']),
];
