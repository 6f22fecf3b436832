import { parseArgs } from 'node:util';
import { type Command, given, listOption, numberOption, onlyArgument, UsageError } from './command.js';
import { endOf } from './end.js';
import { itemNamed } from './items.js';
import { connect } from './settings.js';
import { inLine, printLink } from './terminal.js';

/** The kinds of item that share links open. */
const SHARED = ['image', 'paste'] as const;

const OPTIONS = {
  kind: { type: 'string' },
  label: { type: 'string' },
  password: { type: 'string' },
  expires: { type: 'string' },
  'max-views': { type: 'string' },
  notify: { type: 'string' },
  to: { type: 'string' },
  message: { type: 'string' },
  own: { type: 'boolean', default: false },
} as const;

/** What a link that is mailed does not have. */
const UNMAILED = ['label', 'password', 'expires', 'max-views'] as const;

/** `holdall share`: a share link of an item or a collection, printed, or mailed to people. */
export const share: Command = {
  usage:
    'LINK|ID [--kind image|paste|collection] [--label L] [--password P] [--expires DATE] [--max-views N] [--notify first|each|daily] [--to MAIL,MAIL [--message M] [--own]]',
  summary:
    'make a share link of one of your files, pastes or collections and print it; with --to, mail one; with --notify, you are told when it is opened',
  words: {
    label: '--label',
    password: '--password',
    expiresAt: '--expires',
    maxViews: '--max-views',
    notify: '--notify',
    to: '--to',
  },
  async run(args) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
    const to = listOption(values.to);
    const unmailed = to === undefined ? undefined : UNMAILED.find((name) => values[name] !== undefined);
    if (unmailed !== undefined)
      throw new UsageError(`--${unmailed} is for a link that is not mailed with --to`);
    const { calls, uniqueId } = await sharedItem(positionals, values.kind);
    const notify = values.notify as 'each' | undefined;
    if (to === undefined) {
      const fields = given({
        label: values.label,
        password: values.password,
        expiresAt: endOf(values.expires),
        maxViews: numberOption('max-views', values['max-views']),
        notify,
      });
      const { url } = await calls.createLink.mutate({ uniqueId, ...fields });
      return printLink(url);
    }
    const { links, sent } = await calls.sendLinks.mutate({
      ...{ uniqueId, to, own: values.own },
      ...given({ message: values.message }),
    });
    process.stderr.write(`sent to ${sent}\n`);
    for (const { url } of links) process.stdout.write(`${inLine(url)}\n`);
    if (notify !== undefined)
      for (const { linkId } of links) await calls.changeLink.mutate({ uniqueId, linkId, notify });
  },
};

/** What is shared, and the procedures of its links. */
async function sharedItem(positionals: readonly string[], kind: string | undefined) {
  const named = onlyArgument(positionals, 'LINK or ID');
  const [, collection] = /\/web\/collection\/([^/?#]+)/.exec(named) ?? [];
  if (collection !== undefined || kind === 'collection') {
    const { api } = await connect();
    return { calls: api.collection, uniqueId: decodeURIComponent(collection ?? named) };
  }
  const { client, item } = await itemNamed(positionals, kind);
  const shared = SHARED.find((one) => one === item.kind);
  if (shared === undefined) throw new UsageError('a short link is a link already: share its address');
  return { calls: client.api[shared], uniqueId: item.uniqueId };
}
