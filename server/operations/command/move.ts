import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../../client/bin/command.js';
import { progressBar } from '../../../client/bin/terminal.js';
import { sqliteFile } from '../../../db/engine/connect.js';
import { type Config, readConfig } from '../../runtime/config/config.js';
import { type MoveProgress, moveDatabase } from '../move/move.js';
import { requireDatabase } from './require-database.js';

/** `holdall move`: copies the database to another one. */
export async function move(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { to: { type: 'string' }, ahead: { type: 'boolean', default: false } },
  });
  if (values.to === undefined || values.to === '')
    throw new UsageError('--to is missing: a postgres:// address, or the path of a new SQLite file');
  const config = readConfig();
  requireDatabase(config);
  const to = targetOf(values.to);
  const { progress, end } = showProgress();
  const moved = await moveDatabase(config, { to, ahead: values.ahead, progress }).finally(end);
  if (values.ahead) {
    process.stderr.write(
      'copied what is there now; stop the server and run the same command without --ahead, which copies what has changed since\n',
    );
    return;
  }
  for (const { table, rows, sha256 } of moved) process.stdout.write(`${table}\t${rows}\t${sha256}\n`);
  const rows = moved.reduce((sum, table) => sum + table.rows, 0);
  process.stderr.write(
    `copied ${rows} rows of ${moved.length} tables; each has the same count and the same SHA-256 in both databases\n` +
      `${nextSteps(config, to)}The old database is unchanged. Delete it when the new one has proved itself.\n`,
  );
}

const isAddress = (to: string): boolean => /^[a-z]+:\/\//i.test(to);

function targetOf(to: string): string {
  if (!isAddress(to)) return resolve(to);
  if (!/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to))
    throw new UsageError('--to must be a postgres:// address, or the path of a new SQLite file');
  return to;
}

function nextSteps({ dataDir }: Config, to: string): string {
  if (!isAddress(to)) {
    const place = sqliteFile(dataDir);
    const put =
      place === to ? '' : `Move ${to} to ${place}, or to another DATA_DIR with the same secret.key. `;
    return `${put}Remove DATABASE_URL and start the server.\n`;
  }
  const shown = new URL(to);
  if (shown.password !== '') shown.password = '***';
  return `Set DATABASE_URL=${shown.href} and start the server. DATA_DIR stays as it is.\n`;
}

/** A bar on a terminal, otherwise a line for each phase. */
function showProgress(): { progress: MoveProgress; end: () => void } {
  let now = '';
  let bar = progressBar('');
  return {
    progress: (what, done, total) => {
      if (what !== now) {
        bar.end();
        now = what;
        bar = progressBar(what);
        if (!process.stderr.isTTY) process.stderr.write(`${what} ${total} rows\n`);
      }
      bar.update(done, total);
    },
    end: () => bar.end(),
  };
}
