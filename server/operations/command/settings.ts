import { parseArgs } from 'node:util';
import { CommandError, onlyArgument, UsageError } from '../../../client/bin/command.js';
import { inLine, readSecret } from '../../../client/bin/terminal.js';
import type { SettingRecord } from '../../../routers/features/settings/public.js';
import { readConfig } from '../../runtime/config/config.js';
import { asOwner, type CliContext } from './as-owner.js';
import { requireDatabase } from './require-database.js';

type Api = NonNullable<CliContext['api']>;
type Action = (args: string[], api: Api) => Promise<void>;

/** `holdall settings`: what administrators set in pages, also when the server does not start with it. */
export async function settings([word = '', ...args]: string[]): Promise<void> {
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action === undefined) throw new UsageError('use list, get, set or unset');
  const config = readConfig();
  requireDatabase(config);
  await asOwner(
    config,
    async ({ api }) => {
      if (api === null) throw new CommandError('there is no owner yet: run `holdall invite`');
      await action(parseArgs({ args, allowPositionals: true }).positionals, api);
    },
    { leniently: true },
  );
}

const shown = ({ value, secret, set }: SettingRecord): string => (secret && set ? '(secret)' : (value ?? ''));

const named = (name: string): string => name.trim().toUpperCase();

const actions: Readonly<Record<string, Action>> = {
  async list(args, api) {
    if (args.length > 0) throw new UsageError('list takes no NAME');
    for (const setting of await api.settings.list())
      process.stdout.write(
        `${[setting.name, setting.fixed ? 'fixed' : setting.set ? 'set' : '', inLine(shown(setting))].join('\t')}\n`,
      );
  },

  async get(args, api) {
    const name = named(onlyArgument(args, 'NAME'));
    const found = (await api.settings.list()).find((setting) => setting.name === name);
    if (found === undefined) throw new CommandError(`${name} is not among the settings`);
    process.stdout.write(`${shown(found)}\n`);
  },

  /** Several at once, because some are only right together. A secret is better piped in: processes show their arguments. */
  async set(args, api) {
    if (args.length === 0) throw new UsageError('set needs NAME=VALUE, or NAME and the value piped in');
    const change: Record<string, string> = {};
    for (const arg of args) {
      const at = arg.indexOf('=');
      const name = named(at < 0 ? arg : arg.slice(0, at));
      change[name] = at < 0 ? await readSecret(`${name}: `) : arg.slice(at + 1);
    }
    await api.settings.change(change);
  },

  async unset(args, api) {
    if (args.length === 0) throw new UsageError('unset needs a NAME');
    await api.settings.change(Object.fromEntries(args.map((name) => [named(name), null])));
  },
};
