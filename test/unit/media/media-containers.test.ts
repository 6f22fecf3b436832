import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { filmed } from '../../support/media/film.js';
import { mediaFolder } from '../../support/media/media-fixtures.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });
const containers = suite('media: what is in a video, whatever container and codec it has');

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10:duration=4'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=4'];
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '10'];
const AAC = ['-c:a', 'aac'];

/** The format that ffmpeg writes, its arguments, and the type that is expected. */
const FILMS: readonly (readonly [string, readonly string[], string])[] = [
  ['mpegts', [...PICTURE, '-c:v', 'mpeg2video'], 'video/mp2t'],
  ['mpegts', [...PICTURE, ...SOUND, '-c:v', 'mpeg2video', '-c:a', 'mp2'], 'video/mp2t'],
  ['mpegts', [...PICTURE, ...SOUND, '-c:v', 'mpeg4', ...AAC], 'video/mp2t'],
  ['vob', [...PICTURE, ...SOUND, '-c:v', 'mpeg2video', '-c:a', 'mp2'], 'video/mpeg'],
  ['ogg', [...PICTURE, ...SOUND, '-c:v', 'libtheora', '-c:a', 'libvorbis'], 'video/ogg'],
  ['asf', [...PICTURE, ...SOUND, '-c:v', 'wmv2', '-c:a', 'wmav2'], 'video/x-ms-wmv'],
  ['flv', [...PICTURE, ...SOUND, '-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100'], 'video/x-flv'],
  ['matroska', [...PICTURE, ...SOUND, '-c:v', 'ffv1', ...AAC], 'video/x-matroska'],
  ...['frag_keyframe', 'frag_keyframe+empty_moov', 'dash'].map(
    (flags) => ['mp4', [...PICTURE, ...SOUND, ...H264, ...AAC, '-movflags', flags], 'video/mp4'] as const,
  ),
];
for (const [format, args, type] of FILMS)
  containers(`${type}: ${args.slice(args.indexOf('-c:v') + 1).join(' ')}`, async () => {
    const bytes = await filmed(args, format);
    if (bytes === null) return;
    const { mimeType, kind, width, height, durationMs } = await media.probe(await folder.put(bytes));
    assert.equal([mimeType, kind, width, height], [type, 'video', 64, 48]);
    assert.ok(Math.abs((durationMs ?? 0) - 4000) <= 250, `${durationMs}`);
  });

for (const [format, args, type] of [
  ['ipod', [...AAC, '-movflags', 'frag_keyframe', '-frag_duration', '500000'], 'audio/mp4'],
  ['ipod', [...AAC, '-movflags', 'empty_moov', '-frag_duration', '500000'], 'audio/mp4'],
  ['asf', ['-c:a', 'wmav2'], 'audio/x-ms-wma'],
  ['mpegts', ['-c:a', 'mp2'], 'audio/mp2t'],
] as const)
  containers(`${type}: ${args.join(' ')}`, async () => {
    const bytes = await filmed([...SOUND, ...args], format);
    if (bytes === null) return;
    const { mimeType, kind, durationMs } = await media.probe(await folder.put(bytes));
    assert.equal([mimeType, kind], [type, 'audio']);
    assert.ok(Math.abs((durationMs ?? 0) - 4000) <= 250, `${durationMs}`);
  });

containers.after(folder.remove);
containers.run();
