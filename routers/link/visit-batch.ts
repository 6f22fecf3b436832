import { setImmediate } from 'node:timers/promises';
import { lookupId } from '../../db/content/content.js';
import { addVisits, isUsedUp, type Link, lockLinks } from '../../db/content/link.js';
import type { Db } from '../../db/engine/connect.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { type LoggedVisits, logVisits } from '../../db/statistics/visit.js';
import { countCountries } from '../../db/statistics/visit-countries.js';
import { countVisits, type VisitCount } from '../../db/statistics/visit-days.js';
import { isOpen } from '../access.js';
import type { VisitOutcome, Visitor, Visits } from '../context.js';
import type { CountryOf } from '../ports/geo.js';
import { storedAddress, type VisitAddresses } from '../shared/network.js';
import { tallyVisits } from '../stats/tally.js';

interface Waiting {
  readonly key: string;
  readonly visitor: Visitor;
  readonly unlocked: number | null;
  readonly resolve: (outcome: VisitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Notified when the last use of a link is taken. */
export interface UsedUpListener {
  /** Once per link, in the transaction that takes the use. */
  usedUp(trx: Queryable, url: Link): Promise<unknown>;
  /** After the commit of a transaction with such links. */
  committed(): void;
}

/** Maximum visits per commit; more wait for the next one. */
const MAX_BATCH = 1_000;

/** Maximum event loop turns that a batch waits for clients that the previous one has answered. */
const TURNS = 20;

/** What a visit counter does besides. */
interface Beside {
  /** Names the countries of visitors. */
  readonly countryOf: CountryOf;
  /** Told of the visits of each batch after its commit. */
  counted(visits: readonly VisitCount[]): void;
}

/**
 * Visit counter with group commit: all visits that arrive during a commit share the next one, so exact and durable
 * counting costs one fsync for hundreds of redirects (docs/adr/0004). Each caller is answered only after the commit
 * with its visit. `addresses` sets what is stored of visitors' addresses.
 */
export function createVisits(
  db: Db,
  addresses: VisitAddresses,
  listener: UsedUpListener,
  { countryOf, counted }: Beside = { countryOf: () => null, counted: () => {} },
): Visits {
  let open: Waiting[] = [];
  let running = false;
  let last = 0;

  /**
   * Under load, most clients return within microseconds after their answer, and a commit for the first few costs as
   * much as one for all. If the last batch was small, nothing waits.
   */
  async function gather(): Promise<void> {
    for (let turn = 0; turn < TURNS && open.length < last; turn += 1) await setImmediate();
    last = Math.min(open.length, MAX_BATCH);
  }

  async function drain(): Promise<void> {
    running = true;
    while (open.length > 0) {
      await gather();
      const batch = open.slice(0, MAX_BATCH);
      open = open.slice(MAX_BATCH);
      try {
        const { outcomes, usedUp, visits } = await commit(db, batch, { addresses, countryOf }, listener);
        if (usedUp) listener.committed();
        counted(visits);
        batch.forEach((waiting, index) => {
          waiting.resolve(outcomes[index] ?? 'MISSING');
        });
      } catch (error) {
        for (const waiting of batch) waiting.reject(error);
      }
    }
    running = false;
  }

  return {
    take: (uniqueId, visitor, unlocked) =>
      new Promise((resolve, reject) => {
        open.push({ key: lookupId(uniqueId), visitor, unlocked, resolve, reject });
        if (!running) {
          running = true;
          // Visits that arrive in the same event loop turn join the first batch.
          void setImmediate().then(drain);
        }
      }),
  };
}

/** The visits of one commit, with identical ones merged: a flood from one client costs as much as a single visit. */
class VisitLog {
  readonly #rows = new Map<string, LoggedVisits & { visits: number }>();
  /** The stored form of each address. */
  readonly #kept = new Map<string | null, string | null>();

  constructor(
    private readonly visitedAt: number,
    private readonly addresses: VisitAddresses,
    private readonly countryOf: CountryOf,
  ) {}

  add(urlId: number, { userAgent, ipAddress, referrerHost, prefetch }: Visitor): void {
    const kept = this.#keptOf(ipAddress);
    const country = this.#countryOf(ipAddress);
    // Hosts and addresses contain no spaces, and every user agent is prefixed with `=`, so keys are unambiguous.
    const agent = userAgent === null ? '' : `=${userAgent}`;
    const key = `${urlId} ${prefetch} ${country ?? ''} ${kept ?? ''} ${referrerHost ?? ''} ${agent}`;
    const known = this.#rows.get(key);
    if (known !== undefined) {
      known.visits += 1;
      return;
    }
    const { visitedAt } = this;
    this.#rows.set(key, {
      ...{ urlId, visitedAt, userAgent, ipAddress: kept, referrerHost },
      ...{ country, prefetch, visits: 1 },
    });
  }

  rows(): LoggedVisits[] {
    return [...this.#rows.values()];
  }

  #countryOf(address: string | null): string | null {
    return address === null ? null : this.countryOf(address);
  }

  #keptOf(address: string | null): string | null {
    const known = this.#kept.get(address);
    if (known !== undefined) return known;
    const kept = storedAddress(address, this.addresses);
    this.#kept.set(address, kept);
    return kept;
  }
}

/** What became of a batch. */
interface Committed {
  readonly outcomes: VisitOutcome[];
  readonly usedUp: boolean;
  readonly visits: readonly VisitCount[];
}

/** Decides and stores a batch in one transaction; rows stay locked from the first read to the commit. */
function commit(
  db: Db,
  batch: readonly Waiting[],
  { addresses, countryOf }: { readonly addresses: VisitAddresses; readonly countryOf: CountryOf },
  listener: UsedUpListener,
): Promise<Committed> {
  return db.write(async (trx) => {
    const at = Date.now();
    const keys = [...new Set(batch.map((waiting) => waiting.key))];
    const links = await lockLinks(db, trx, keys);
    const counts = new Map<number, number>();
    const log = new VisitLog(at, addresses, countryOf);
    const outcomes = batch.map((waiting): VisitOutcome => {
      const url = links.get(waiting.key);
      if (url === undefined || !canFollow(url, counts.get(url.id) ?? 0, at)) return 'MISSING';
      if (!isOpen(url) && waiting.unlocked !== url.id) return 'LOCKED';
      counts.set(url.id, (counts.get(url.id) ?? 0) + 1);
      log.add(url.id, waiting.visitor);
      return {
        originalUrl: url.originalUrl,
        forwardQuery: url.forwardQuery,
        previewed: url.preview !== null,
      };
    });
    const logged = log.rows();
    const tally = tallyVisits(logged);
    if (counts.size > 0) {
      await addVisits(db, trx, counts);
      await logVisits(db, trx, logged);
      await countVisits(db, trx, tally.visits);
      await countCountries(db, trx, tally.countries);
    }
    // A link may be asked for by several of its ids.
    const over = [...new Map([...links.values()].map((url) => [url.id, url])).values()]
      .map((url) => ({ ...url, visits: url.visits + (counts.get(url.id) ?? 0) }))
      .filter((url) => counts.has(url.id) && isUsedUp(url));
    for (const url of over) await listener.usedUp(trx, url);
    return { outcomes, usedUp: over.length > 0, visits: tally.visits };
  });
}

function canFollow(url: Link, granted: number, at: number): boolean {
  if (url.quarantine !== null || (url.expiresAt !== null && url.expiresAt <= at)) return false;
  return url.maxUses === null || url.visits + granted < url.maxUses;
}
