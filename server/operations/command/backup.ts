import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { onlyArgument } from '../../../client/bin/command.js';
import { progressBar } from '../../../client/bin/terminal.js';
import { readableSize } from '../../../routers/base/embed.js';
import { readConfig } from '../../runtime/config/config.js';
import { backUp } from '../backup/backup.js';
import { NAMES } from '../backup/layout.js';
import { restore } from '../backup/restore.js';
import { requireDatabase } from './require-database.js';

const filesText = (files: number): string => (files === 1 ? '1 file' : `${files} files`);

const folderOf = (args: string[]): string =>
  resolve(onlyArgument(parseArgs({ args, allowPositionals: true }).positionals, 'FOLDER'));

/** `holdall backup`. */
export async function backup(args: string[]): Promise<void> {
  const folder = folderOf(args);
  const config = readConfig();
  requireDatabase(config);
  const bar = progressBar('files');
  const { files, bytes } = await backUp(config, folder, bar.update).finally(bar.end);
  const key = config.secretKey === null ? `; it contains ${NAMES.secret}, so keep it safe` : '';
  process.stderr.write(
    `backed up the database and ${filesText(files)}, ${readableSize(bytes)}, in ${folder}${key}\n`,
  );
}

/** `holdall restore`. */
export async function restoreBackup(args: string[]): Promise<void> {
  const folder = folderOf(args);
  const bar = progressBar('files');
  const { files, createdAt } = await restore(readConfig(), folder, bar.update).finally(bar.end);
  process.stderr.write(`restored the database and ${filesText(files)} as they were at ${createdAt}\n`);
}
