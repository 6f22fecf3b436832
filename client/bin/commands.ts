import { hostname } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, HoldallError } from '../src/index.js';
import {
  type Command,
  CommandError,
  type Commands,
  given,
  listOption,
  numberOption,
  onlyArgument,
  UsageError,
} from './command.js';
import { completionsOf } from './completions.js';
import { endOf } from './end.js';
import { readFileOf } from './files.js';
import { get } from './get.js';
import { list, open, remove } from './items.js';
import { pull } from './pull.js';
import { request } from './request.js';
import { SEAL_OPTIONS, SEAL_USAGE, sealedFor, sealText } from './seals.js';
import { connect, forgetLogin, keepLogin, type Login, savedLogin, serverOrigin } from './settings.js';
import { share } from './share.js';
import { inLine, printJson, printLink, readInput, readSecret } from './terminal.js';
import { upload } from './upload.js';

const login: Command = {
  usage: 'ORIGIN',
  summary:
    'sign in to a server with an API key, which is prompted for or piped in; with the main key, this machine gets a key of its own',
  async run(args) {
    const origin = serverOrigin(
      onlyArgument(parseArgs({ args, allowPositionals: true }).positionals, 'ORIGIN'),
    );
    if (origin === null) throw new UsageError('ORIGIN must be an address like https://files.example.org');
    const apiKey = (await readSecret('API key: ')).toLowerCase();
    if (apiKey === '') throw new UsageError('the API key is missing');
    const client = createClient({ origin, apiKey });
    const { username } = await client.api.auth.validate.query().catch(refuseKey);
    const own = await keyOfMachine(client);
    const file = await keepLogin({ origin, apiKey: own?.key ?? apiKey });
    process.stderr.write(`signed in as ${inLine(username)}; saved in ${file}\n`);
    if (own !== null) process.stderr.write(`this machine uses the named key "${inLine(own.name)}"\n`);
  },
};

/** What the commands need. */
const MACHINE_SCOPES = [
  'account:read',
  'images:read',
  'images:write',
  'pastes:read',
  'pastes:write',
  'urls:read',
  'urls:write',
] as const;

/**
 * A new key for this machine, so that the main key is not stored on it. Null if the given key is a named one, which
 * makes no keys, or if the server is too old to have them: then that key is saved.
 */
async function keyOfMachine({ api }: ReturnType<typeof createClient>) {
  try {
    const name = `holdall on ${hostname()}`.slice(0, 60);
    return await api.user.createKey.mutate({ name, scopes: [...MACHINE_SCOPES] });
  } catch (error) {
    if (error instanceof HoldallError && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

function refuseKey(error: unknown): never {
  if (error instanceof HoldallError && error.status === 401)
    throw new CommandError('the server does not know this API key: copy it from Settings, Security', {
      cause: error,
    });
  throw error;
}

const logout: Command = {
  usage: '',
  summary: "delete the saved address and key, and this machine's key on the server",
  async run(args) {
    parseArgs({ args });
    const kept = await savedLogin();
    if (kept === null) return void process.stderr.write('not signed in\n');
    const left = await endKey(kept);
    const file = await forgetLogin();
    process.stderr.write(`signed out; ${file} was deleted\n`);
    if (left !== null) process.stderr.write(`${left}\n`);
  },
};

/** Ends the saved key on its server; what to tell if it stays valid. Signing out works without the server, too. */
async function endKey(login: Login): Promise<string | null> {
  try {
    await createClient(login).api.user.deleteThisKey.mutate();
    return null;
  } catch (error) {
    // The key is gone already.
    if (error instanceof HoldallError && error.status === 401) return null;
    const why =
      error instanceof HoldallError && [400, 404].includes(error.status)
        ? 'the key stays valid'
        : `${login.origin} could not be told, so that the key stays valid`;
    return `${why}: delete or replace it under Settings, Security`;
  }
}

/** What several commands call alike. */
const SHARED = { expiresAt: '--expires', uniqueId: '--id', tags: '--tags' } as const;

const paste: Command = {
  usage: `[FILE...] [--title T] [--language L] [--private] [--password P] [--expires DATE] [--burn] [--tags A,B] [--id ID] ${SEAL_USAGE} [--json]`,
  summary: 'create a paste from files or standard input and print its link',
  words: {
    text: 'FILE',
    files: 'FILE',
    title: '--title',
    language: '--language',
    password: '--password',
    ...SHARED,
  },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        title: { type: 'string' },
        language: { type: 'string' },
        private: { type: 'boolean' },
        password: { type: 'string' },
        expires: { type: 'string' },
        burn: { type: 'boolean' },
        tags: { type: 'string' },
        id: { type: 'string' },
        json: { type: 'boolean', default: false },
        ...SEAL_OPTIONS,
      },
    });
    const [file = '-', ...others] = positionals;
    const client = await connect();
    const text = await textIn(file);
    const whom = await sealedFor(values);
    if (whom !== null && others.length > 0)
      throw new UsageError('give one FILE: several are not sealed together');
    const said = given({
      title: values.title,
      language: values.language,
    });
    const name = given({ name: file === '-' ? undefined : basename(file), ...said });
    const sealed =
      whom === null ? null : await sealText(text, { ...name, size: Buffer.byteLength(text) }, whom);
    const record = await client.api.paste.create.mutate({
      ...(sealed !== null
        ? { text: sealed.text, ...sealed.fields }
        : others.length === 0
          ? { text, ...said, ...given({ fileName: name.name }) }
          : { files: [{ name: nameOf(file), text }, ...(await allOf(others))], ...said }),
      ...given({
        private: values.private,
        password: values.password,
        expiresAt: endOf(values.expires),
        burn: values.burn,
        tags: listOption(values.tags),
        uniqueId: values.id,
      }),
    });
    if (values.json) printJson(record);
    else printLink(`${record.urlSet.shortUrl}${sealed?.fragment ?? ''}`);
  },
};

const shorten: Command = {
  usage: 'URL [--max-uses N] [--password P] [--expires DATE] [--tags A,B] [--id ID] [--json]',
  summary: 'create a short link and print it',
  words: { url: 'URL', maxUses: '--max-uses', password: '--password', ...SHARED },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'max-uses': { type: 'string' },
        tags: { type: 'string' },
        password: { type: 'string' },
        expires: { type: 'string' },
        id: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const url = onlyArgument(positionals, 'URL');
    const client = await connect();
    const record = await client.api.url.create.mutate({
      url,
      ...given({
        maxUses: numberOption('max-uses', values['max-uses']),
        tags: listOption(values.tags),
        password: values.password,
        expiresAt: endOf(values.expires),
        uniqueId: values.id,
      }),
    });
    if (values.json) printJson(record);
    else printLink(record.urlSet.shortUrl);
  },
};

/** The text of a file, or of standard input, and what it is called in a paste of several. */
const textIn = async (file: string) => textOf(file === '-' ? await readInput() : await readFileOf(file));
const nameOf = (file: string): string => (file === '-' ? 'stdin' : basename(file));

async function allOf(files: readonly string[]) {
  const all: { name: string; text: string }[] = [];
  for (const file of files) all.push({ name: nameOf(file), text: await textIn(file) });
  return all;
}

/** Rejects anything that is not valid UTF-8: replacing bytes would lose them for good. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new CommandError('The file is not UTF-8 text', { cause });
  }
}

/** The commands for anyone who has an API key. */
export const clientCommands: Commands = {
  login,
  logout,
  upload,
  paste,
  shorten,
  get,
  pull,
  request,
  list,
  open,
  share,
  delete: remove,
  completions: completionsOf(() => clientCommands),
};
