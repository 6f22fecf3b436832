import { lookupId } from '../../../../db/content/content.js';
import { isUnavailable, isUsedUp } from '../../../../db/content/life.js';
import { addVisits, type Link, lockLinks } from '../../../../db/content/link/link.js';
import { hasNotBegun } from '../../../../db/content/link/link-way.js';
import type { Db } from '../../../../db/engine/connect.js';
import type { Queryable } from '../../../../db/engine/queryable.js';
import { type LoggedVisits, logVisits } from '../../../../db/statistics/visit.js';
import { countCountries } from '../../../../db/statistics/visit-countries.js';
import { countVisits, type VisitCount } from '../../../../db/statistics/visit-days.js';
import { countVariants } from '../../../../db/statistics/visit-variants.js';
import { grouped } from '../../../base/grouped.js';
import { storedAddress, type VisitAddresses } from '../../../base/network.js';
import type { CountryOf } from '../../../base/ports/geo.js';
import type { VisitOutcome, Visitor, Visits } from '../../../base/ports/visits.js';
import { isOpen } from '../../../core/access.js';
import { tallyVisits } from '../../stats/public.js';
import { decider } from '../decide.js';

interface Asked {
  readonly key: string;
  readonly visitor: Visitor;
  readonly unlocked: number | null;
}

/** Notified when the last use of a link is taken. */
interface UsedUpListener {
  /** Once per link, in the transaction that takes the use. */
  usedUp(trx: Queryable, url: Link): Promise<unknown>;
  /** After the commit of a transaction with such links. */
  committed(): void;
}

/** Maximum visits per commit; more wait for the next one. */
const MAX_BATCH = 1_000;

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
  const take = grouped<Asked, VisitOutcome>({ count: MAX_BATCH }, async (batch) => {
    const { outcomes, usedUp, visits } = await commit(db, batch, { addresses, countryOf }, listener);
    if (usedUp) listener.committed();
    counted(visits);
    return outcomes.map((value) => ({ status: 'fulfilled', value }));
  });
  return {
    take: (uniqueId, visitor, unlocked) => take({ key: lookupId(uniqueId), visitor, unlocked }),
    countryOf: (address) => (address === null ? null : countryOf(address)),
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

  add(
    urlId: number,
    { userAgent, ipAddress, referrerHost, prefetch }: Visitor,
    variant: string | null,
  ): void {
    const kept = this.#keptOf(ipAddress);
    const country = this.countryFrom(ipAddress);
    // Hosts and addresses contain no spaces, and every user agent is prefixed with `=`, so keys are unambiguous.
    const agent = userAgent === null ? '' : `=${userAgent}`;
    const key = `${urlId} ${variant ?? ''} ${prefetch} ${country ?? ''} ${kept ?? ''} ${referrerHost ?? ''} ${agent}`;
    const known = this.#rows.get(key);
    if (known !== undefined) {
      known.visits += 1;
      return;
    }
    const { visitedAt } = this;
    this.#rows.set(key, {
      ...{ urlId, visitedAt, userAgent, ipAddress: kept, referrerHost },
      ...{ country, variant, prefetch, visits: 1 },
    });
  }

  rows(): LoggedVisits[] {
    return [...this.#rows.values()];
  }

  countryFrom(address: string | null): string | null {
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
  batch: readonly Asked[],
  { addresses, countryOf }: { readonly addresses: VisitAddresses; readonly countryOf: CountryOf },
  listener: UsedUpListener,
): Promise<Committed> {
  return db.write(async (trx) => {
    const at = Date.now();
    const keys = [...new Set(batch.map((waiting) => waiting.key))];
    const links = await lockLinks(db, trx, keys);
    const counts = new Map<number, number>();
    const log = new VisitLog(at, addresses, countryOf);
    const decide = decider(at);
    const outcomes = batch.map((waiting): VisitOutcome => {
      const url = links.get(waiting.key);
      if (url === undefined || !canFollow(url, counts.get(url.id) ?? 0, at)) return 'MISSING';
      if (!isOpen(url) && waiting.unlocked !== url.id) return 'LOCKED';
      counts.set(url.id, (counts.get(url.id) ?? 0) + 1);
      const { visitor } = waiting;
      const decided = decide(url, () => ({ ...visitor, country: log.countryFrom(visitor.ipAddress) }));
      log.add(url.id, visitor, decided.variant);
      return {
        of: { id: url.id, ownerId: url.ownerId },
        url: decided.url,
        forwardQuery: url.forwardQuery,
        forwardPath: url.way.forwardPath,
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
      await countVariants(db, trx, tally.variants);
    }
    // A link may be asked for by several of its ids.
    const over = [...new Map([...links.values()].map((url) => [url.id, url])).values()]
      .map((url) => ({ ...url, visits: url.visits + (counts.get(url.id) ?? 0) }))
      .filter((url) => counts.has(url.id) && isUsedUp(url.visits, url.maxUses));
    for (const url of over) await listener.usedUp(trx, url);
    return { outcomes, usedUp: over.length > 0, visits: tally.visits };
  });
}

const canFollow = (url: Link, granted: number, at: number): boolean =>
  !isUnavailable(url, at) && !hasNotBegun(url, at) && !isUsedUp(url.visits + granted, url.maxUses);
