import { constants, createWriteStream, openAsBlob } from 'node:fs';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import type { HoldallClient, ImageRecord, UploadOptions } from '../src/index.js';
import { type Command, given, numberOption, UsageError } from './command.js';
import { connect } from './settings.js';
import { printJson, printLinks, progressBar, sizeText } from './terminal.js';

/** `holdall upload`: files, or standard input as `-`. */
export const upload: Command = {
  usage:
    'FILE... [--private] [--password P] [--id ID] [--desc TEXT] [--expires DATE] [--max-views N] [--name N] [--json]',
  summary: 'store files, print their links; - is standard input',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        private: { type: 'boolean' },
        password: { type: 'string' },
        id: { type: 'string' },
        desc: { type: 'string' },
        expires: { type: 'string' },
        'max-views': { type: 'string' },
        name: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    if (positionals.length === 0) throw new UsageError('FILE is missing');
    if (positionals.length > 1 && values.id !== undefined) throw new UsageError('--id goes with one file');
    const options: UploadOptions = given({
      private: values.private,
      password: values.password,
      uniqueId: values.id,
      desc: values.desc,
      expiresAt: values.expires,
      maxViews: numberOption('max-views', values['max-views']),
    });
    const client = await connect();
    const records: ImageRecord[] = [];
    try {
      for (const path of positionals) {
        const send = (file: string, name: string) => uploadFile(client, file, { ...options, name });
        records.push(
          path === '-'
            ? await withInput((file) => send(file, values.name ?? 'stdin'))
            : await send(path, values.name ?? basename(path)),
        );
      }
    } finally {
      // What was stored is stored, even if the next file was refused.
      if (values.json) printJson(records);
      else if (records.length > 0) printLinks(records.map(({ urlSet }) => urlSet.shortUrl));
    }
  },
};

async function uploadFile(
  client: HoldallClient,
  path: string,
  options: UploadOptions & { readonly name: string },
): Promise<ImageRecord> {
  await access(path, constants.R_OK);
  const bar = progressBar(options.name, sizeText);
  try {
    return await client.upload(await openAsBlob(path), {
      ...options,
      onProgress: ({ sent, total }) => bar.update(sent, total),
    });
  } finally {
    bar.end();
  }
}

/** Standard input as a file, however much it is. */
async function withInput<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-'));
  try {
    const path = join(folder, 'stdin');
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
