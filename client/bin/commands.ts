import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient, HoldallError } from '../src/index.js';
import {
  type Command,
  CommandError,
  type Commands,
  given,
  numberOption,
  onlyArgument,
  UsageError,
} from './command.js';
import { readFileOf } from './files.js';
import { connect, forgetLogin, keepLogin, serverOrigin } from './settings.js';
import { printJson, printLink, readInput, readSecret } from './terminal.js';
import { upload } from './upload.js';

const login: Command = {
  usage: 'ORIGIN',
  summary: 'sign in to a server with an API key, which is prompted for or piped in',
  async run(args) {
    const origin = serverOrigin(
      onlyArgument(parseArgs({ args, allowPositionals: true }).positionals, 'ORIGIN'),
    );
    if (origin === null) throw new UsageError('ORIGIN must be an address like https://files.example.org');
    const apiKey = (await readSecret('API key: ')).toLowerCase();
    if (apiKey === '') throw new UsageError('the API key is missing');
    const login = { origin, apiKey };
    const { username } = await createClient(login).api.auth.validate.query().catch(refuseKey);
    const file = await keepLogin(login);
    process.stderr.write(`signed in as ${username}; saved in ${file}\n`);
  },
};

function refuseKey(error: unknown): never {
  if (error instanceof HoldallError && error.status === 401)
    throw new CommandError('the server does not know this API key: copy it from Settings, Security', {
      cause: error,
    });
  throw error;
}

const logout: Command = {
  usage: '',
  summary: 'delete the saved address and key; the key itself stays valid',
  async run(args) {
    parseArgs({ args });
    const file = await forgetLogin();
    process.stderr.write(file === null ? 'not signed in\n' : `signed out; ${file} was deleted\n`);
  },
};

const DATE_AND_ID = { expiresAt: '--expires', uniqueId: '--id' } as const;

const paste: Command = {
  usage:
    '[FILE] [--title T] [--language L] [--private] [--password P] [--expires DATE] [--burn] [--id ID] [--json]',
  summary: 'create a paste from a file or standard input and print its link',
  words: { text: 'FILE', title: '--title', language: '--language', password: '--password', ...DATE_AND_ID },
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
        id: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const file = positionals.length === 0 ? '-' : onlyArgument(positionals, 'FILE');
    const client = await connect();
    const text = textOf(file === '-' ? await readInput() : await readFileOf(file));
    const record = await client.api.paste.create.mutate({
      text,
      ...given({
        title: values.title,
        fileName: file === '-' ? undefined : basename(file),
        language: values.language,
        private: values.private,
        password: values.password,
        expiresAt: values.expires,
        burn: values.burn,
        uniqueId: values.id,
      }),
    });
    if (values.json) printJson(record);
    else printLink(record.urlSet.shortUrl);
  },
};

const shorten: Command = {
  usage: 'URL [--max-uses N] [--password P] [--expires DATE] [--id ID] [--json]',
  summary: 'create a short link and print it',
  words: { url: 'URL', maxUses: '--max-uses', password: '--password', ...DATE_AND_ID },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'max-uses': { type: 'string' },
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
        password: values.password,
        expiresAt: values.expires,
        uniqueId: values.id,
      }),
    });
    if (values.json) printJson(record);
    else printLink(record.urlSet.shortUrl);
  },
};

/** Rejects anything that is not valid UTF-8: replacing bytes would lose them for good. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new CommandError('The file is not UTF-8 text', { cause });
  }
}

/** The commands for anyone who has an API key. */
export const clientCommands: Commands = { login, logout, upload, paste, shorten };
