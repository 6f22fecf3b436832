import { type Command, type Commands, runCommand } from '../../../client/bin/command.js';
import { clientCommands } from '../../../client/bin/commands.js';
import { completionsOf } from '../../../client/bin/completions.js';
import { explainClientError } from '../../../client/bin/explain.js';
import { built } from '../../shared/root.js';
import { packageVersion } from '../../shared/version.js';
import { PRODUCT_NAMES } from '../import/names.js';

/** Loads the module of a command only when it runs: `upload` needs no database. */
const later = (
  usage: string,
  summary: string,
  load: () => Promise<Command['run']>,
  words: Command['words'] = {},
): Command => ({
  usage,
  summary,
  words,
  run: async (args) => {
    // Like the server: databases and backups are readable by this user only.
    process.umask(0o077);
    return (await load())(args);
  },
});

const serverCommands: Commands = {
  serve: later('', 'run the server, as `npm start` does', async () => async () => {
    // Worker processes are forked from this path.
    process.argv[1] = built('server', 'runtime', 'main.js');
    await import('../../runtime/main.js');
  }),
  user: later(
    'list [SEARCH] | create NAME EMAIL [--role R] | activate NAME | password NAME | role NAME ROLE | one-step NAME | sign-in NAME',
    'manage accounts; a password is piped in, or generated and printed',
    async () => (await import('./user.js')).user,
    { username: 'NAME', email: 'EMAIL', role: 'ROLE' },
  ),
  invite: later(
    '[--role R] [--uses N] [--expires DATE]',
    'create an invite code and print the registration link',
    async () => (await import('./invite.js')).invite,
    { role: '--role', maxUses: '--uses', expiresAt: '--expires' },
  ),
  settings: later(
    'list | get NAME | set NAME=VALUE… | unset NAME…',
    'what administrators set in pages; `set NAME` takes a secret that is piped in',
    async () => (await import('./settings.js')).settings,
  ),
  backup: later(
    'FOLDER',
    'create or update a backup, also while the server runs',
    async () => (await import('./backup.js')).backup,
  ),
  restore: later(
    'FOLDER',
    'restore a backup into an empty DATA_DIR or database',
    async () => (await import('./backup.js')).restoreBackup,
  ),
  import: later(
    `${PRODUCT_NAMES.join('|')} [--database FILE|ADDRESS] [--files FOLDER] [--links FILE] [--prefix PREFIX] [--hidden] [--ignore TABLE.COLUMN] [--owner NAME] [--map OLD=NEW] [--path WHAT=PATH] [--name NAME] [--dry-run]`,
    'move accounts, items and addresses of another product in; --dry-run says what would come, and a repetition adds what is new',
    async () => (await import('./import.js')).importFrom,
  ),
  adopt: later(
    'FOLDER [--owner NAME] [--name NAME] [--hidden] [--dry-run]',
    'make items of the files of a folder without copying them; it must be on the file system of DATA_DIR, and its files must not be changed afterwards',
    async () => (await import('./import.js')).adopt,
  ),
  move: later(
    '--to ADDRESS|FILE [--ahead]',
    'copy the database to PostgreSQL (postgres://…) or to an SQLite file; the server must be stopped, except with --ahead, which copies most of it before that',
    async () => (await import('./move.js')).move,
  ),
  storage: later(
    'move --to s3|disk',
    'move all files to the object store or to the disk, also while the server runs; STORAGE must name both',
    async () => (await import('./storage.js')).storage,
  ),
  doctor: later(
    '[--deep]',
    'check the installation for problems; --deep reads every file',
    async () => (await import('./doctor.js')).doctor,
  ),
};

/** The `holdall` command; sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const { explainServerError } = await import('./explain.js');
  const explain = (error: unknown) => explainServerError(error) ?? explainClientError(error);
  const commands: Commands = {
    ...serverCommands,
    ...clientCommands,
    completions: completionsOf(() => commands),
  };
  const code = await runCommand(commands, args, explain, packageVersion);
  process.exitCode ??= code;
}
