import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { filmed } from '../../support/media/film.js';
import { look, near } from '../../support/media/look.js';
import { mediaFolder } from '../../support/media/media-fixtures.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });

const posters = suite('media: posters look like their video');

const still = (coded: string) => ['-f', 'lavfi', '-i', `color=c=${coded}:s=320x180:d=1:r=5`];

/** What the green 0, 190, 0 is coded as; the pixels are not square, and the poster is of an odd width. */
for (const [name, transfer, coded, codec] of [
  ['PQ', 'smpte2084', '0x68824c', ['-c:v', 'libx265', '-x265-params', 'log-level=none']],
  ['HLG', 'arib-std-b67', '0x68a335', ['-c:v', 'libx265', '-x265-params', 'log-level=none']],
  ['PQ and AV1', 'smpte2084', '0x68824c', ['-c:v', 'libaom-av1', '-cpu-used', '8']],
] as const) {
  posters(`a video in ${name} keeps its colours`, async () => {
    const film = await filmed(
      [
        ...still(coded),
        ...['-vf', 'scale=out_color_matrix=bt2020:out_range=tv,format=yuv420p10le,setsar=4/3'],
        ...codec,
        ...['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'],
      ],
      'mp4',
    );
    if (film === null) return;
    const poster = await media.poster(await folder.put(film));
    assert.ok(poster);
    const { size, colour } = await look(poster);
    near(colour, [0, 190, 0], 20);
    assert.equal(size, [427, 180]);
  });
}

posters('a video of pixels that are not square has its proportions', async () => {
  const film = await filmed([...still('0x00bd00'), '-vf', 'setsar=2', '-c:v', 'libx264'], 'mp4');
  if (film === null) return;
  const path = await folder.put(film);
  const poster = await media.poster(path);
  assert.ok(poster);
  const { width, height } = await media.probe(path);
  assert.equal([width, height], [640, 180]);
  assert.equal((await look(poster)).size, [640, 180]);
});

posters.after(folder.remove);
posters.run();
