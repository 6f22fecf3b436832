import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { filmed } from '../support/media/film.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const tools = suite('video tools');
let server: TestServer;
let film: Buffer | null;

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=10:duration=4'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=4'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

tools.before(async () => {
  server = await startServer({ PATH: process.env.PATH ?? '' });
  film = await filmed([...PICTURE, ...SOUND, ...H264, '-c:a', 'aac'], 'mp4');
});
tools.after(() => server.close());

async function use(tool: string, fields: Record<string, string>, bytes: Uint8Array, name = 'my film.mp4') {
  const answer = await fetch(`${server.base}/tools/video/${tool}`, {
    method: 'POST',
    headers: { 'x-api-key': server.owner.key },
    body: fileForm(bytes, name, fields, 'video/mp4'),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, body };
}
const told = ({ body }: { body: Buffer }): string => JSON.parse(String(body)).message;

/** What ffprobe says of an answer. */
async function seen(bytes: Buffer) {
  const path = join(tmpdir(), `holdall-answer-${process.pid}`);
  await writeFile(path, bytes);
  try {
    const { stdout } = await run('ffprobe', [
      ...[
        '-v',
        'error',
        '-show_entries',
        'format=format_name,duration:stream=codec_type,codec_name,width,height,r_frame_rate',
      ],
      ...['-of', 'json', path],
    ]);
    const { format, streams } = JSON.parse(stdout) as {
      format: { format_name: string; duration?: string };
      streams: {
        codec_type: string;
        codec_name: string;
        width?: number;
        height?: number;
        r_frame_rate: string;
      }[];
    };
    const of = (type: string) => streams.find((stream) => stream.codec_type === type);
    return {
      name: format.format_name,
      seconds: Number(format.duration),
      video: of('video'),
      audio: of('audio'),
    };
  } finally {
    await rm(path, { force: true });
  }
}

async function made(tool: string, fields: Record<string, string> = {}, bytes = film, name?: string) {
  const answer = await use(tool, fields, bytes ?? Buffer.alloc(0), name);
  assert.is(answer.status, 200, `${tool}: ${answer.body.subarray(0, 300)}`);
  return { ...(await seen(answer.body)), headers: answer.headers };
}
const near = (seconds: number, expected: number) =>
  assert.ok(Math.abs(seconds - expected) <= 0.3, `${seconds} s instead of ${expected} s`);

tools('each tool makes what its fields say', async () => {
  if (film === null) return;
  const trimmed = await made('trim', { start: '00:00:01', end: '00:00:03' });
  near(trimmed.seconds, 2);
  assert.is(trimmed.headers.get('content-disposition'), 'attachment; filename="my_film_trim.mp4"');
  assert.is(trimmed.headers.get('content-type'), 'video/mp4');
  const sized = await made('resize', { width: '101', height: '200', mode: 'fit' });
  assert.equal([sized.video?.width, sized.video?.height], [100, 200]);
  for (const mode of ['fill', 'cover']) {
    const { video } = await made('resize', { width: '64', height: '64', mode });
    assert.equal([video?.width, video?.height], [64, 64], mode);
  }
  near((await made('speed', { factor: '2' })).seconds, 2);
  const slow = await made('speed', { factor: '0.5', adjustAudio: 'false' });
  near(slow.seconds, 8);
  assert.is(slow.audio, undefined);
  for (const [rotation, size] of [
    ['90', [90, 160]],
    ['180', [160, 90]],
    ['270', [90, 160]],
    ['hflip', [160, 90]],
    ['vflip', [160, 90]],
  ] as const) {
    const { video } = await made('rotate', { rotation });
    assert.equal([video?.width, video?.height], size, rotation);
  }
  const gif = await made('gif', { start: '00:00:01', duration: '2', width: '120', fps: '5' });
  assert.equal([gif.name, gif.video?.width], ['gif', 120]);
  near(gif.seconds, 2);
  for (const [format, codec] of [
    ['jpg', 'mjpeg'],
    ['png', 'png'],
    ['webp', 'webp'],
  ] as const)
    assert.is((await made('thumbnail', { timestamp: '00:00:02', format })).video?.codec_name, codec);
  for (const tool of ['mute', 'strip-audio']) {
    const { audio, video } = await made(tool);
    assert.equal([audio, video?.codec_name], [undefined, 'h264']);
  }
  near((await made('volume', { level: '50' })).seconds, 4);
  assert.ok((await made('compress', { crf: '40', videoBitrate: '100', audioBitrate: '32' })).audio);
  near((await made('reverse')).seconds, 4);
  near((await made('stabilize', { strength: '30' })).seconds, 4);
  assert.is((await made('fps', { fps: '24' })).video?.r_frame_rate, '24/1');
  assert.is((await made('fps', { targetFps: '15' })).video?.r_frame_rate, '15/1');
});

tools('a video is converted to every format, and its sound is extracted in every format', async () => {
  if (film === null) return;
  for (const [format, name, type] of [
    ['mp4', 'mov,mp4,m4a,3gp,3g2,mj2', 'video/mp4'],
    ['webm', 'matroska,webm', 'video/webm'],
    ['mkv', 'matroska,webm', 'video/x-matroska'],
    ['avi', 'avi', 'video/x-msvideo'],
    ['mov', 'mov,mp4,m4a,3gp,3g2,mj2', 'video/quicktime'],
    ['ts', 'mpegts', 'video/mp2t'],
  ] as const) {
    const answer = await made('convert', { format });
    assert.equal([answer.name, answer.headers.get('content-type')], [name, type]);
    near(answer.seconds, 4);
    assert.ok(answer.audio, format);
  }
  for (const format of ['mp3', 'wav', 'aac', 'ogg', 'flac']) {
    const { name, video, audio } = await made('extract-audio', { format, bitrate: '64' });
    assert.equal([name, video], [format, undefined]);
    assert.ok(audio, format);
  }
});

tools('every container that is recognised can be changed', async () => {
  if (film === null) return;
  for (const [format, coding] of [
    ['webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis']],
    ['matroska', [...H264, '-c:a', 'aac']],
    ['avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']],
    ['mov', [...H264, '-c:a', 'aac']],
    ['flv', ['-c:v', 'flv', '-c:a', 'libmp3lame', '-ar', '44100']],
    ['asf', ['-c:v', 'wmv2', '-c:a', 'wmav2']],
    ['mpegts', ['-c:v', 'mpeg2video', '-c:a', 'mp2']],
    ['vob', ['-c:v', 'mpeg2video', '-c:a', 'mp2']],
    ['ogg', ['-c:v', 'libtheora', '-c:a', 'libvorbis']],
  ] as const) {
    const bytes = await filmed([...PICTURE, ...SOUND, ...coding], format);
    const volume = await made('volume', { level: '200' }, bytes, 'film');
    near(volume.seconds, 4);
    assert.ok(volume.video && volume.audio, format);
  }
  for (const [format, coding] of [
    ['mp3', ['-c:a', 'libmp3lame']],
    ['wav', []],
    ['ogg', ['-c:a', 'libvorbis']],
    ['flac', []],
    ['ipod', ['-c:a', 'aac']],
    ['aac', ['-c:a', 'aac']],
  ] as const) {
    const bytes = await filmed([...SOUND, ...coding], format);
    near((await made('trim', { start: '1', end: '2.5' }, bytes, 'sound')).seconds, 1.5);
  }
});

tools('what cannot be done is refused with what to do, and leaves nothing behind', async () => {
  if (film === null) return;
  const silent = (await filmed([...PICTURE, ...H264], 'mp4')) ?? film;
  const sound = (await filmed([...SOUND, '-c:a', 'libmp3lame'], 'mp3')) ?? film;
  for (const [tool, fields, bytes, text] of [
    ['extract-audio', {}, silent, /no sound/],
    ['rotate', {}, sound, /no picture/],
    ['trim', { start: '00:00:03', end: '00:00:02' }, film, /end: must be after start/],
    ['trim', { start: 'soon' }, film, /start: use HH:MM:SS/],
    ['trim', { start: '00:00:04', end: '00:00:09' }, film, /ends after 4 seconds/],
    ['thumbnail', {}, film, /ends after 4 seconds/],
    ['convert', { format: 'exe' }, film, /format: use mp4, webm/],
    ['speed', { factor: '9' }, film, /factor/],
    ['blend', {}, film, /tool/],
    ['mute', {}, Buffer.from('text, no video'), /no video or sound/],
    ['convert', {}, Buffer.alloc(0), /empty/],
    ['reverse', {}, film.subarray(0, 700), /cannot be processed|no video/],
  ] as const) {
    const answer = await use(tool, fields, bytes);
    assert.is(answer.status, 400, `${tool}: ${answer.body.subarray(0, 200)}`);
    assert.match(told(answer), text, tool);
  }
  await nothingLeft();
});

tools('a file that names other files opens none of them', async () => {
  if (film === null) return;
  const secret = join(server.dataDir, 'secret.ts');
  await writeFile(secret, (await filmed([...PICTURE, '-c:v', 'mpeg2video'], 'mpegts')) ?? '');
  for (const list of [
    `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${secret}\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile '${secret}'\n`,
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation><BaseURL>${secret}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  ]) {
    // Also behind enough of a known format to be taken for it.
    for (const bytes of [Buffer.from(list), Buffer.concat([film.subarray(0, 64), Buffer.from(list)])])
      assert.is((await use('convert', {}, bytes)).status, 400, list);
  }
  await rm(secret);
});

tools('who leaves ends the work', async () => {
  const large = await filmed(
    ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30:duration=60', ...H264, '-crf', '40'],
    'mp4',
  );
  if (large === null) return;
  const leave = new AbortController();
  const asked = fetch(`${server.base}/tools/video/convert`, {
    method: 'POST',
    headers: { 'x-api-key': server.owner.key },
    body: fileForm(large, 'large.mp4', { format: 'webm' }, 'video/mp4'),
    signal: leave.signal,
  }).catch(() => null);
  await until(async () => (await outputs()).length === 1);
  leave.abort();
  assert.is(await asked, null);
  await nothingLeft();
});

const outputs = async () =>
  (await readdir(server.dataDir, { recursive: true })).filter(
    (name) => /tmp|temp/.test(name) && /\.\w{2,4}$/.test(name),
  );
const nothingLeft = () => until(async () => (await outputs()).length === 0);

tools('without FFmpeg the tools are not there', async () => {
  const plain = await startServer({ PATH: process.env.PATH ?? '', FFMPEG: 'off' });
  const body = fileForm(Buffer.from('x'), 'a.mp4', {}, 'video/mp4');
  const answer = await plain.request('POST', '/tools/video/trim', { key: plain.owner.key, form: body });
  assert.is(answer.status, 501);
  await plain.close();
});

tools.run();
