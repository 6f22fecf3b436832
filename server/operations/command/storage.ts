import { parseArgs } from 'node:util';
import { CommandError, UsageError } from '../../../client/bin/command.js';
import { progressBar } from '../../../client/bin/terminal.js';
import { PLACES, type Place } from '../../drivers/storage/options.js';
import { readConfig } from '../../runtime/config/config.js';
import { moveFiles } from '../move/files.js';
import { requireDatabase } from './require-database.js';

const isPlace = (name: string): name is Place => PLACES.some((place) => place === name);

/** `holdall storage move`: moves all files from one store to the other. */
export async function storage([word = '', ...args]: string[]): Promise<void> {
  if (word !== 'move') throw new UsageError('use move');
  const { values } = parseArgs({ args, options: { to: { type: 'string' } } });
  const to = values.to ?? '';
  if (!isPlace(to)) throw new UsageError('--to must be s3 or disk');
  const from = PLACES.find((place) => place !== to);
  const config = readConfig();
  requireDatabase(config);
  if (config.places.length < 2 || config.places[0] !== to)
    throw new CommandError(
      `set STORAGE=${to},${from} and restart every server first: it then stores new files in the one, and finds those in the other`,
    );
  const bar = progressBar('files');
  const { moved, left } = await moveFiles(config, to, bar.update).finally(bar.end);
  process.stderr.write(`moved ${moved} file${moved === 1 ? '' : 's'}\n`);
  if (left !== null) throw new CommandError(`not moved, because they are damaged or missing:\n${left}`);
  process.stderr.write(
    `Every file is ${to === 's3' ? 'in the object store' : 'on the disk'} now. Set STORAGE=${to} and restart every server.\n`,
  );
}
