import { suite } from 'uvu';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { mediaFolder } from '../../support/media/media-fixtures.js';
import { checkRow } from '../../support/metadata/check.js';
import { rows } from '../../support/metadata/index.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });

const guarantee = {
  strip: 'nothing of who, where, when and with what remains in any byte',
  location: 'no place remains in any byte',
  keep: 'the file is stored as it was sent',
} as const;

for (const policy of ['strip', 'location', 'keep'] as const) {
  const matrix = suite(`media: with \`${policy}\`, ${guarantee[policy]}`);
  for (const row of rows) {
    matrix(`${row.format}: ${row.carrier}`, () => checkRow(row, policy, media, folder));
  }
  if (policy === 'keep') matrix.after(folder.remove);
  matrix.run();
}
