import { userByUsername } from '../../../db/account/account.js';
import { lookupId } from '../../../db/content/content.js';
import { importedAs } from '../../../db/content/imported.js';
import { DomainError } from '../../../routers/base/errors.js';
import { takesSlugs } from '../../../routers/base/kinds.js';
import { isReserved } from '../../../routers/base/slug.js';
import type { Services } from '../../../routers/core/context.js';
import { type MappedAccount, mapAccount } from './accounts.js';
import { ImportError, type Source, type SourceAccount } from './port.js';
import { checkable } from './sources/hashes.js';
import { IMPORTED, storeItem } from './store/index.js';
import type { Storable } from './store/item.js';
import { doubtsAbout } from './tables/doubts.js';

/** Items stored at the same time: their commits share an fsync. */
const AT_ONCE = 8;

/**
 * Stores several items at once, and yet decides what they have in common as if they came one after another: an item
 * begins when those before it are done that want the same id or address, so that the first one has it.
 */
class Turns {
  readonly #running = new Map<Promise<void>, ReadonlySet<string>>();

  /** Starts the work of an item when it can, without waiting for its end. `work` must not fail. */
  async start(item: Storable, work: () => Promise<void>): Promise<void> {
    const wanted = new Set([
      ...(item.id === null ? [] : [`${item.kind} ${lookupId(item.id)}`]),
      ...[...item.addresses, ...item.pages].map((address) => `/${address}`),
    ]);
    const ahead = [...this.#running].filter(([, others]) => [...wanted].some((one) => others.has(one)));
    await Promise.all(ahead.map(([task]) => task));
    const task: Promise<void> = work().finally(() => this.#running.delete(task));
    this.#running.set(task, wanted);
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running.keys());
  }

  /** Waits for everything that was started. */
  async done(): Promise<void> {
    await Promise.all(this.#running.keys());
  }
}

/** How an import runs. */
export interface ImportOptions {
  /** Names the installation that is imported, so that a repeated import knows what has come. */
  readonly source: string;
  /** Whose what belongs to nobody will be. */
  readonly owner: string;
  /** Accounts here for accounts there, by their names. */
  readonly map: ReadonlyMap<string, string>;
  readonly dryRun: boolean;
  /** See `Place`. */
  readonly adoptingIn?: string | null;
}

/** What an import tells while it runs. */
export interface ImportReport {
  account(from: SourceAccount, to: MappedAccount): void;
  /** What became of an item; the text is its id here, or why it cannot come. */
  item(kind: Storable['kind'], key: string, what: 'came' | 'known' | 'refused', text: string): void;
  /** An item came, but private, and why; or without something. */
  changed(kind: Storable['kind'], key: string, how: 'private' | 'without', why: readonly string[]): void;
}

/** Imports everything; what has come with an earlier import of the same source is left out. */
export async function importAll(
  app: Services,
  from: Source,
  options: ImportOptions,
  report: ImportReport,
): Promise<void> {
  const owners = await ownersOf(app, from, options, report);
  const turns = new Turns();
  const fallback = await idOf(app, options.owner);
  const failures: unknown[] = [];
  for await (const item of from.items()) {
    if (item.kind === 'refused') {
      report.item(item.of, item.key, 'refused', item.reason);
      continue;
    }
    const owner = item.owner === null ? fallback : (owners.get(item.owner) ?? fallback);
    const work = () => importOne(app, item, owner, options, report);
    if (IMPORTED[item.kind].refers) {
      await turns.done();
      await work();
    } else await turns.start(item, () => work().catch((error: unknown) => void failures.push(error)));
    if (failures.length > 0) break;
  }
  await turns.done();
  if (failures.length > 0) throw failures[0];
}

async function ownersOf(
  app: Services,
  from: Source,
  { source, map, dryRun }: ImportOptions,
  report: ImportReport,
): Promise<Map<string, number | null>> {
  const owners = new Map<string, number | null>();
  for await (const account of from.accounts()) {
    const named = map.get(account.email ?? '') ?? map.get(account.username);
    const mapped: MappedAccount =
      named === undefined
        ? await mapAccount(app, source, account, dryRun)
        : { id: await idOf(app, named), username: named, what: 'known', pending: null };
    owners.set(account.key, mapped.id);
    report.account(account, mapped);
  }
  return owners;
}

async function idOf(app: Services, username: string): Promise<number> {
  const user = await userByUsername(app.db.read, username);
  if (user === null) throw new ImportError(`there is no account ${username}`);
  return user.id;
}

async function importOne(
  app: Services,
  read: Storable,
  ownerId: number | null,
  { source, dryRun, adoptingIn = null }: ImportOptions,
  report: ImportReport,
): Promise<void> {
  const { item, closed } = asUnderstood(read);
  if ((await importedAs(app.db.read, source, item.key)) !== null) {
    report.item(item.kind, item.key, 'known', '');
    return;
  }
  try {
    const reason = await reasonAgainst(app, item);
    if (reason !== null) report.item(item.kind, item.key, 'refused', reason);
    else {
      const id =
        dryRun || ownerId === null
          ? (item.id ?? '')
          : await storeItem(app, item, { source, ownerId, adoptingIn });
      report.item(item.kind, item.key, 'came', id);
      if (closed.length > 0) report.changed(item.kind, item.key, 'private', closed);
      const at = takesSlugs(item.kind) && isReserved(id) ? [`its place at the root of a host: /r/${id}`] : [];
      const without = [...item.without, ...at];
      if (without.length > 0) report.changed(item.kind, item.key, 'without', without);
    }
  } catch (error) {
    if (!(error instanceof DomainError) || error.status >= 500) throw error;
    report.item(item.kind, item.key, 'refused', error.message);
  }
}

/** An item as it comes: private if who may see it is not understood, or cannot be said here; and why. */
function asUnderstood(item: Storable): { readonly item: Storable; readonly closed: readonly string[] } {
  if (!item.isPublic) return { item, closed: item.restriction === null ? [] : [item.restriction] };
  const closed = [...(item.restriction === null ? [] : [item.restriction]), ...doubtsAbout(item.rows)];
  return { item: closed.length === 0 ? item : { ...item, isPublic: false }, closed };
}

/** Why an item cannot come, as far as that is known beforehand; null if nothing is against it. */
async function reasonAgainst(app: Services, item: Storable): Promise<string | null> {
  if (item.expiresAt !== null && item.expiresAt <= Date.now()) return 'has expired';
  // Without it, what was protected would be open to everybody.
  if (item.passwordHash !== null && checkable(item.passwordHash) === null)
    return 'has a password that cannot be checked here';
  return IMPORTED[item.kind].against(app, item as never);
}
