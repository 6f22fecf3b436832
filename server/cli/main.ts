import { type Command, type Commands, runCommand } from '../../client/bin/command.js';
import { clientCommands } from '../../client/bin/commands.js';
import { explainClientError } from '../../client/bin/explain.js';
import { built } from '../root.js';
import { packageVersion } from '../version.js';

/** Loads a command's module when it is asked for: `upload` needs no database. */
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
    // As the server does: what these make (databases, backups) is for this user alone.
    process.umask(0o077);
    return (await load())(args);
  },
});

const serverCommands: Commands = {
  serve: later('', 'run the server, as `npm start` does', async () => async () => {
    // Worker processes are forked from this path.
    process.argv[1] = built('server', 'main.js');
    await import('../main.js');
  }),
  user: later(
    'list [SEARCH] | create NAME EMAIL [--role R] | password NAME | role NAME ROLE | one-step NAME',
    'accounts; a password is piped in, or made and printed',
    async () => (await import('./user.js')).user,
    { username: 'NAME', email: 'EMAIL', role: 'the role' },
  ),
  invite: later(
    '[--role R] [--uses N] [--expires DATE]',
    'make an invite, print the address to register at',
    async () => (await import('./invite.js')).invite,
    { role: '--role', maxUses: '--uses', expiresAt: '--expires' },
  ),
  backup: later(
    'FOLDER',
    'bring a backup up to date, while the server works',
    async () => (await import('./backup.js')).backup,
  ),
  restore: later(
    'FOLDER',
    'put a backup into an empty DATA_DIR or database',
    async () => (await import('./backup.js')).restoreBackup,
  ),
  doctor: later(
    '[--deep]',
    'look for what is wrong; --deep reads every file',
    async () => (await import('./doctor.js')).doctor,
  ),
};

/** The `holdall` command; sets the exit code. */
export async function main(args: readonly string[]): Promise<void> {
  const { explainServerError } = await import('./explain.js');
  const explain = (error: unknown) => explainServerError(error) ?? explainClientError(error);
  const code = await runCommand({ ...serverCommands, ...clientCommands }, args, explain, packageVersion);
  process.exitCode ??= code;
}
