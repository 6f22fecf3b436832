import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type HoldallClient, HoldallError } from '../src/index.js';
import { type Command, CommandError, given, numberOption, onlyArgument, UsageError } from './command.js';
import { connect, connectedOrigin } from './settings.js';
import { inLine, printJson } from './terminal.js';

type Api = HoldallClient['api'];

/** How an item of each kind is deleted. */
const REMOVALS = {
  image: ({ image }: Api, uniqueId: string) => image.delete.mutate({ uniqueId }),
  paste: ({ paste }: Api, uniqueId: string) => paste.delete.mutate({ uniqueId }),
  url: ({ url }: Api, uniqueId: string) => url.delete.mutate({ uniqueId }),
};
type Kind = keyof typeof REMOVALS;
const KINDS = Object.keys(REMOVALS) as Kind[];

const isKind = (word: string): word is Kind => Object.hasOwn(REMOVALS, word);

function kindOption(value: string | undefined): Kind | undefined {
  if (value === undefined || isKind(value)) return value;
  throw new UsageError(`--kind must be one of ${KINDS.join(', ')}`);
}

/** `holdall list`: the newest items, or those that are searched for. */
export const list: Command = {
  usage: '[WORDS...] [--kind image|paste|url] [--tag T] [--limit N] [--json]',
  summary: 'list your newest items, or those that contain the words: link, day, title',
  words: { search: 'WORDS', tag: '--tag', pageSize: '--limit' },
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        kind: { type: 'string' },
        tag: { type: 'string' },
        limit: { type: 'string', default: '25' },
        json: { type: 'boolean', default: false },
      },
    });
    const client = await connect();
    const { items } = await client.api.library.items.query(
      given({
        kind: kindOption(values.kind),
        tag: values.tag,
        search: positionals.length === 0 ? undefined : positionals.join(' '),
        pageSize: numberOption('limit', values.limit),
      }),
    );
    if (values.json) return printJson(items);
    for (const { urlSet, createdAt, title } of items)
      process.stdout.write(`${[urlSet.shortUrl, createdAt.slice(0, 10), title].map(inLine).join('\t')}\n`);
  },
};

/** `holdall open`: the page of an item, in the browser. */
export const open: Command = {
  usage: 'LINK|ID [--kind image|paste|url]',
  summary: 'open the page of one of your items in the browser',
  async run(args) {
    const { item } = await itemIn(args);
    const page = `${await connectedOrigin()}/web/${item.kind}-render/${encodeURIComponent(item.uniqueId)}`;
    const [program = '', ...before] = browser();
    const opener = spawn(program, [...before, page], { detached: true, stdio: 'ignore' });
    await new Promise<void>((resolve) => {
      opener.once('spawn', resolve);
      // Without a browser the address is still worth something.
      opener.once('error', () => resolve());
    });
    opener.unref();
    process.stdout.write(`${page}\n`);
  },
};

/** What opens an address: `BROWSER`, or what the system has for it. */
function browser(): readonly string[] {
  const { BROWSER } = process.env;
  if (BROWSER) return [BROWSER];
  if (process.platform === 'darwin') return ['open'];
  return process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
}

/** `holdall delete`: an item, into the trash if the server has one. */
export const remove: Command = {
  usage: 'LINK|ID [--kind image|paste|url]',
  summary: 'delete one of your items; the server may keep it in the trash for a while',
  async run(args) {
    const { client, item } = await itemIn(args);
    await REMOVALS[item.kind](client.api, item.uniqueId);
    process.stderr.write(`deleted ${item.name}\n`);
  },
};

/** The item that a link or an id names; refuses one that several kinds have. */
function itemIn(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { kind: { type: 'string' } },
  });
  return itemNamed(positionals, values.kind);
}

/** The item of the caller that a link or an id names. */
export async function itemNamed(positionals: readonly string[], asked: string | undefined) {
  const named = onlyArgument(positionals, 'LINK or ID');
  const [, of] = /\/web\/(\w+)-render\//.exec(named) ?? [];
  const kind = kindOption(asked) ?? (of !== undefined && isKind(of) ? of : undefined);
  const [uniqueId = '', ...others] = idsIn(named);
  const client = await connect();
  const kinds = kind === undefined ? KINDS : [kind];
  const itemsUnder = async (id: string) =>
    (await Promise.all(kinds.map((each) => ownItem(client, each, id)))).filter((item) => item !== null);
  let found = await itemsUnder(uniqueId);
  for (const other of others) if (found.length === 0) found = await itemsUnder(other);
  const [item] = found;
  if (item === undefined) throw new CommandError(`you have no item with the ID ${uniqueId}`);
  if (found.length > 1)
    throw new CommandError(
      `several items have the ID ${uniqueId}: say which with --kind ${found.map((each) => each.kind).join('|')}`,
    );
  return { client, item };
}

async function ownItem({ api }: HoldallClient, kind: Kind, uniqueId: string) {
  try {
    const { name, own } = await api.library.deletable.query({ kind, uniqueId });
    return own ? { kind, uniqueId, name: inLine(name) } : null;
  } catch (error) {
    if (error instanceof HoldallError && [400, 403, 404].includes(error.status)) return null;
    throw error;
  }
}

/** What a path of the service says in front of an id. */
const BEFORE_ID = /^(?:\/v1)?\/(?:web\/\w+-render|url\/r|r|(?:image|paste|url)\/get|files)\//;

/** The ids that a link or an id may mean: that of a link may have slashes and end like that of a file. */
function idsIn(named: string): readonly string[] {
  const path = URL.canParse(named) ? new URL(named).pathname : `/${named}`;
  const whole = decodedPath(path.replace(BEFORE_ID, '/').slice(1));
  const last = whole.split('/').at(-1) ?? '';
  return [...new Set([whole, whole.replace(/\.\w{1,8}$/, ''), last.replace(/\.\w{1,8}$/, '')])];
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
