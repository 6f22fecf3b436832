import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { environmentWith } from '../../runtime/config/config.js';
import { ImportError } from './port.js';

const run = promisify(execFile);
/** The longest file of a repository that is read. */
const MAX_FILE = 64 * 1024 * 1024;
const MAX_LIST = 4 * 1024 * 1024;

/** A repository of somebody else: nothing that its configuration names is run, and nothing is fetched. */
const CAREFULLY = [
  ...['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'],
  '--no-replace-objects',
];
/**
 * An object that a partial clone lacks would be fetched from where its configuration says, with programs that it says.
 * Older releases of git do not know the first of these; the second one is above whatever is configured.
 */
const FETCHING_NOTHING = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '', GIT_TERMINAL_PROMPT: '0' };

/** A file of a repository, as it was last committed: its bytes, or why they cannot come. */
export type CommittedFile = { readonly name: string } & (
  | { readonly bytes: Buffer }
  | { readonly bytes: null; readonly reason: string }
);

async function git(repository: string, maxBuffer: number, ...args: string[]): Promise<Buffer> {
  const all = [...CAREFULLY, `--git-dir=${repository}`, ...args];
  const env = environmentWith(FETCHING_NOTHING);
  const { stdout } = await run('git', all, { encoding: 'buffer', maxBuffer, env });
  return stdout;
}

/**
 * The files of the last commit of a repository, one in memory at a time; null if there is no commit that can be read.
 * Throws an `ImportError` if git is not installed.
 */
export async function committedFiles(repository: string): Promise<AsyncIterable<CommittedFile> | null> {
  const list = await git(repository, MAX_LIST, 'ls-tree', '-r', '-l', '-z', 'HEAD').catch((error) => {
    if (error.code === 'ENOENT') throw new ImportError('git is not installed', { cause: error });
    return null;
  });
  if (list === null) return null;
  const entries = list.toString('utf8').split('\u0000').filter(Boolean);
  return (async function* () {
    for (const entry of entries) {
      const tab = entry.indexOf('\t');
      const [mode = '', type = '', hash = '', size = ''] = entry.slice(0, tab).split(/ +/);
      // Neither links nor modules.
      if (type !== 'blob' || mode === '120000') continue;
      const name = entry.slice(tab + 1);
      if (Number(size) > MAX_FILE) yield { name, bytes: null, reason: 'is larger than 64 MiB' };
      else yield { name, ...(await contentOf(repository, hash)) };
    }
  })();
}

/** The bytes of an object. That git refuses one says nothing against the others. */
async function contentOf(repository: string, hash: string) {
  try {
    return { bytes: await git(repository, MAX_FILE + 1, 'cat-file', 'blob', hash) };
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: Buffer };
    if (typeof code !== 'number') throw error;
    const said = String(stderr ?? '')
      .trim()
      .split('\n')
      .at(-1);
    return { bytes: null, reason: `is damaged in its repository: ${said}` };
  }
}
