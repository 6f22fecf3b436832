import { parseArgs } from 'node:util';
import { newKey } from '../src/sealed.js';
import { type Command, given, listOption, numberOption, onlyArgument, UsageError } from './command.js';
import { endOf } from './end.js';
import { connect } from './settings.js';
import { inLine, printJson, printLink } from './terminal.js';

/** `holdall request`: links by which others upload to you. */
export const request: Command = {
  usage:
    'create TITLE [--note T] [--max-files N] [--max-bytes N] [--types A,B] [--password P] [--expires DATE] [--ask-name] [--blind] [--sealed] [--wall all|approved] [--notify none|first|each|daily] [--json] | list [--json]',
  summary: 'make a link by which others upload to you, or list those that you have: link, day, files, title',
  words: {
    ...{ title: 'TITLE', note: '--note', maxFiles: '--max-files', maxBytes: '--max-bytes' },
    ...{ types: '--types', password: '--password', expiresAt: '--expires' },
    ...{ wall: '--wall', notify: '--notify' },
  },
  async run([what, ...args]) {
    if (what === 'create') return create(args);
    if (what === 'list') return list(args);
    throw new UsageError('say create or list');
  },
};

async function create(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      note: { type: 'string' },
      'max-files': { type: 'string' },
      'max-bytes': { type: 'string' },
      types: { type: 'string' },
      password: { type: 'string' },
      expires: { type: 'string' },
      'ask-name': { type: 'boolean' },
      blind: { type: 'boolean' },
      sealed: { type: 'boolean', default: false },
      wall: { type: 'string' },
      notify: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const title = onlyArgument(positionals, 'TITLE');
  const { api } = await connect();
  const key = values.sealed ? ((await api.user.keptSeal.query()) ?? (await newKey())) : null;
  const made = await api.request.create.mutate({
    title,
    ...given({
      note: values.note,
      maxFiles: numberOption('max-files', values['max-files']),
      maxBytes: numberOption('max-bytes', values['max-bytes']),
      types: listOption(values.types),
      password: values.password,
      expiresAt: endOf(values.expires),
      askName: values['ask-name'],
      blind: values.blind,
      wall: values.wall as 'all' | undefined,
      notify: values.notify as 'each' | undefined,
      recipient: key?.recipient,
    }),
  });
  // A new key is nowhere else; the one that the account keeps is there.
  const identity = key !== null && 'identity' in key ? key.identity : undefined;
  if (values.json) return printJson({ ...made, ...given({ identity }) });
  printLink(made.urlSet.webUrl, identity === undefined);
  if (identity !== undefined) process.stdout.write(`${identity}\n`);
}

/** Links in one page of the list. */
const PAGE = 100;

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
  const { api } = await connect();
  const first = await api.request.mine.query({ page: 0, size: PAGE });
  const found = [...first.content];
  for (let page = 1; found.length < first.totalElements; page += 1) {
    const { content: items } = await api.request.mine.query({ page, size: PAGE });
    if (items.length === 0) break;
    found.push(...items);
  }
  if (values.json) return printJson(found);
  for (const { urlSet, createdAt, receivedFiles, title } of found)
    process.stdout.write(
      `${[urlSet.webUrl, createdAt.slice(0, 10), String(receivedFiles), title].map(inLine).join('\t')}\n`,
    );
}
