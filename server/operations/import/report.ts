import type { ImportReport } from './run.js';
import { IMPORTED } from './store/index.js';
import type { Storable } from './store/item.js';

/** After this many items the progress is told. */
const REPORT_EVERY = 1_000;

/** Numbers by kind and reason. */
class Tally {
  readonly #counts = new Map<string, number>();

  /** What differs from item to item stands behind a colon, and is not counted apart. */
  add(kind: string, reason: string): void {
    const line = `${kind}: ${reason.split(': ')[0]}`;
    this.#counts.set(line, (this.#counts.get(line) ?? 0) + 1);
  }

  lines(heading: string): string {
    const lines = [...this.#counts].map(([line, count]) => `  ${count} ${line}\n`);
    return lines.length === 0 ? '' : `${heading}:\n${lines.join('')}`;
  }
}

/**
 * Writes what becomes of what, a line for each account and each thing that does not come as it was. `total` says in the
 * end how many came, and how many did not or otherwise, by kind and reason.
 */
export function reportTo(dryRun: boolean): {
  report: ImportReport;
  total: (leftOut: readonly string[]) => string;
} {
  const came = new Map<string, number>();
  const [closed, incomplete, refusals, accounts] = [new Tally(), new Tally(), new Tally(), new Tally()];
  let [known, refused, seen] = [0, 0, 0];
  const called = (kind: Storable['kind']): string => IMPORTED[kind].called;
  return {
    report: {
      account: ({ username }, to) => {
        const how = {
          known: 'is',
          created: 'is new as',
          'without password': 'is new, without a password, as',
        };
        const pending = to.pending === null ? '' : `, and waits for \`holdall user activate\`: ${to.pending}`;
        process.stdout.write(`account ${username} ${how[to.what]} ${to.username}${pending}\n`);
        accounts.add('accounts', to.what === 'known' ? 'were here' : 'are new');
        if (to.what === 'without password') accounts.add('accounts', 'have no password yet');
        if (to.pending !== null) accounts.add('accounts', `wait for activation, because ${to.pending}`);
        if (to.what !== 'known' && to.username !== username)
          accounts.add('accounts', 'have another name here');
      },
      item: (kind, key, what, text) => {
        seen += 1;
        if (what === 'known') known += 1;
        else if (what === 'refused') {
          refused += 1;
          refusals.add(called(kind), text);
          process.stdout.write(`${key}: ${text}\n`);
        } else came.set(kind, (came.get(kind) ?? 0) + 1);
        if (seen % REPORT_EVERY === 0) process.stderr.write(`${seen} items\n`);
      },
      changed: (kind, key, how, why) => {
        const tally = how === 'private' ? closed : incomplete;
        for (const reason of why) tally.add(called(kind), reason);
        const said = how === 'private' ? 'comes private' : 'comes without';
        process.stdout.write(`${key}: ${said}${how === 'private' ? ':' : ''} ${why.join(', ')}\n`);
      },
    },
    total: (leftOut) => {
      const counts = Object.entries(IMPORTED).map(([kind, of]) => `${came.get(kind) ?? 0} ${of.called}`);
      const list = `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`;
      return [
        `${dryRun ? 'would import' : 'imported'} ${list}; `,
        `${known} had come before, ${refused} cannot come${refused > 0 ? ' (listed above)' : ''}\n`,
        accounts.lines('accounts'),
        closed.lines('private, although it was open there or may have been (listed above)'),
        incomplete.lines('without something (listed above)'),
        refusals.lines('cannot come'),
        ...(leftOut.length === 0 ? [] : [`does not come: ${leftOut.join(', ')}\n`]),
      ].join('');
    },
  };
}
