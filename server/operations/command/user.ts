import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { CommandError, onlyArgument, UsageError } from '../../../client/bin/command.js';
import { readSecret } from '../../../client/bin/terminal.js';
import { userByEmail, userByUsername } from '../../../db/account/account.js';
import { fail } from '../../../routers/base/errors.js';
import { asciiAddress } from '../../../routers/core/accounts/fields.js';
import type { Services } from '../../../routers/core/context.js';
import type { EndedAccess } from '../../../routers/features/auth/ending.js';
import { makeSignInLink } from '../../../routers/features/auth/sign-in-link.js';
import { readConfig } from '../../runtime/config/config.js';
import { asOwner, type CliContext } from './as-owner.js';
import { requireDatabase } from './require-database.js';

type Api = NonNullable<CliContext['api']>;
type Action = (args: string[], api: Api, app: Services) => Promise<void>;

/** `holdall user`: manages accounts without a browser. */
export async function user([word = '', ...args]: string[]): Promise<void> {
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action === undefined)
    throw new UsageError('use list, create, activate, password, role, one-step or sign-in');
  const config = readConfig();
  requireDatabase(config);
  await asOwner(config, async ({ api, app }) => {
    if (api === null)
      throw new CommandError(
        'there is no owner yet: run `holdall invite` and register with the link it prints',
      );
    await action(args, api, app);
  });
}

const PAGE = 100;

const actions: Readonly<Record<string, Action>> = {
  async list(args, api) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const search = positionals.length === 0 ? null : onlyArgument(positionals, 'SEARCH');
    for (let page = 0, pages = 1; page < pages; page += 1) {
      const found = await api.admin.users({ search, page, size: PAGE });
      pages = found.totalPages;
      for (const { uid, username, email, role, status } of found.content)
        process.stdout.write(`${[uid, username, email, role, status].join('\t')}\n`);
    }
  },

  async create(args, api) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { role: { type: 'string' } },
    });
    const [username = '', email = '', ...rest] = positionals;
    if (email === '' || rest.length > 0) throw new UsageError('create needs NAME and EMAIL');
    const password = await newPassword();
    await api.user.create({ username, email, password: password.text, role: values.role ?? null });
    password.show();
  },

  async password(args, api, app) {
    const name = onlyArgument(parseArgs({ args, allowPositionals: true }).positionals, 'NAME');
    const uid = await uidOf(app, name);
    const password = await newPassword();
    const { ended } = await api.admin.changeUser({ uid, password: password.text });
    password.show();
    if (ended !== undefined) process.stderr.write(`${listEnded(ended)}\n`);
  },

  async activate(args, api, app) {
    const name = onlyArgument(parseArgs({ args, allowPositionals: true }).positionals, 'NAME');
    await api.admin.activateUser({ uid: await uidOf(app, name) });
  },

  async role(args, api, app) {
    const [name = '', role = '', ...rest] = parseArgs({ args, allowPositionals: true }).positionals;
    if (role === '' || rest.length > 0) throw new UsageError('role needs NAME and ROLE');
    await api.admin.changeUser({ uid: await uidOf(app, name), role });
  },

  async 'one-step'(args, api, app) {
    const name = onlyArgument(parseArgs({ args, allowPositionals: true }).positionals, 'NAME');
    await api.admin.endSecondFactor({ uid: await uidOf(app, name) });
  },

  async 'sign-in'(args, _api, app) {
    const name = onlyArgument(parseArgs({ args, allowPositionals: true }).positionals, 'NAME');
    process.stdout.write(`${await makeSignInLink(app, await uidOf(app, name))}\n`);
  },
};

/** What a new password has ended, in a sentence. */
function listEnded({ sessions, ...ended }: EndedAccess): string {
  const removed = [
    ended.keys > 0 ? 'the named keys' : '',
    ended.webhook ? 'the webhook' : '',
    ended.chatapp ? 'the linked chat account' : '',
    ended.messenger ? 'the linked messenger account' : '',
  ].filter(Boolean);
  const also = removed.length === 0 ? '' : `; removed ${removed.join(', ')}`;
  return `ended ${sessions} session${sessions === 1 ? '' : 's'}; replaced the API key${also}`;
}

/** The user ID for a username or e-mail address. */
async function uidOf({ db }: Services, name: string): Promise<number> {
  const user = (await userByUsername(db.read, name)) ?? (await userByEmail(db.read, asciiAddress(name)));
  return (user ?? fail('NOT_FOUND', `there is no account ${name}`)).id;
}

/** The password from standard input, or a generated one that is printed once it is set. */
async function newPassword(): Promise<{ readonly text: string; show(): void }> {
  const given = process.stdin.isTTY ? '' : await readSecret('');
  if (given !== '') return { text: given, show: () => {} };
  const text = randomBytes(15).toString('base64url');
  return { text, show: () => process.stdout.write(`${text}\n`) };
}
