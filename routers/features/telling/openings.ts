import { type Happening, type Notify, notifyOf, type ToldBy } from '../../../db/content/told/told.js';
import { toldSubject } from '../../../db/content/told/told-subject.js';
import { webhookEventsOf } from '../../../db/webhook/webhook.js';
import type { Opened, OpenedBy, Openings } from '../../base/ports/openings.js';
import type { Services } from '../../core/context.js';
import { planTelling } from '../../core/telling/due.js';
import { createHeaderReader } from '../stats/public.js';
import { openedEvent } from './events.js';

/** How long openings wait for others. */
const GATHER_MS = 5_000;
/** Different things whose openings are gathered; of more nobody is told. */
const MAX_GATHERED = 20_000;
/** Those of one transaction. */
const MAX_PART = 1_000;

/** Openings of one thing. */
interface Gathered {
  readonly opened: Opened;
  times: number;
}

/** Gathers openings in memory; see `Openings`. `of` is what they are planned with. */
export function createOpenings(origin: string, of: () => Pick<Services, 'db' | 'jobs' | 'log'>): Openings {
  const headers = createHeaderReader(origin);
  let gathered = new Map<Opened['kind'], Map<number, Gathered>>();
  let things = 0;
  let timer: NodeJS.Timeout | null = null;
  let planning: Promise<void> = Promise.resolve();
  const asking = new Set<Promise<void>>();

  const add = (opened: Opened): void => {
    const ofKind = gathered.get(opened.kind) ?? new Map<number, Gathered>();
    gathered.set(opened.kind, ofKind);
    const known = ofKind.get(opened.id);
    if (known !== undefined) {
      known.times += 1;
    } else if (things < MAX_GATHERED) {
      ofKind.set(opened.id, { opened, times: 1 });
      things += 1;
    }
    timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
  };
  const plan = async (): Promise<void> => {
    const taken = [...gathered.values()].flatMap((ofKind) => [...ofKind.values()]);
    gathered = new Map();
    things = 0;
    try {
      for (let from = 0; from < taken.length; from += MAX_PART)
        await planPart(of(), taken.slice(from, from + MAX_PART));
    } catch (error) {
      // Reads must work on a full disk.
      of().log.warn({ err: error }, 'openings could not be noted for those who want to be told');
    }
  };
  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    await Promise.all(asking);
    planning = planning.then(plan);
    await planning;
  };
  const isPerson = ({ userAgent, prefetch }: OpenedBy): boolean =>
    !prefetch && !headers.agentOf(userAgent).bot;
  return {
    note(opened, opening, who) {
      if (!isPerson(opening)) return;
      if (who === null) return add(opened);
      const asked = who()
        .then((id) => (id === opened.ownerId ? undefined : add(opened)))
        .catch((error: unknown) => of().log.warn({ err: error }, 'who opens something could not be read'))
        .finally(() => asking.delete(asked));
      asking.add(asked);
    },
    async last(opened, opening, who) {
      if (!isPerson(opening) || (await who?.()) === opened.ownerId) return [];
      const happenings = await happeningsOf(of(), [{ opened, times: 1 }]);
      const subject = happenings.length === 0 ? null : await toldSubject(of().db.read, opened);
      if (subject === null) return [];
      const { uniqueId, title } = subject;
      return happenings.map((happening) => ({ ...happening, gone: { uniqueId, title } }));
    },
    flush,
  };
}

function byKind(part: readonly Gathered[]): ReadonlyMap<Opened['kind'], Gathered[]> {
  const groups = new Map<Opened['kind'], Gathered[]>();
  for (const one of part) {
    const group = groups.get(one.opened.kind);
    if (group === undefined) groups.set(one.opened.kind, [one]);
    else group.push(one);
  }
  return groups;
}

async function planPart(app: Pick<Services, 'db' | 'jobs'>, part: readonly Gathered[]): Promise<void> {
  const happenings = await happeningsOf(app, part);
  if (happenings.length > 0) await app.db.write((trx) => planTelling(app, trx, happenings));
}

/** What is to be told: to those owners who ask for it, or whose webhook names it. */
async function happeningsOf(app: Pick<Services, 'db'>, part: readonly Gathered[]): Promise<Happening[]> {
  const events = await webhookEventsOf(app.db, [...new Set(part.map(({ opened }) => opened.ownerId))]);
  const happenings: Happening[] = [];
  for (const [kind, group] of byKind(part)) {
    const notify = await notifyOf(
      app.db,
      kind,
      group.map(({ opened }) => opened.id),
    );
    for (const { opened, times } of group) {
      const asked = notify.get(opened.id);
      if (asked === undefined) continue;
      for (const [by, mode] of waysOf(opened, asked, events))
        if (mode !== 'none')
          happenings.push({ kind, id: opened.id, ownerId: opened.ownerId, by, mode, times, gone: null });
    }
  }
  return happenings;
}

function waysOf(
  { ownerId, of }: Opened,
  asked: Notify,
  events: ReadonlyMap<number, readonly string[]>,
): readonly (readonly [ToldBy, Notify])[] {
  const named = events.get(ownerId);
  if (named === undefined) return [['mail', asked]];
  return [
    ['mail', asked],
    ['webhook', named.includes(openedEvent(of)) ? 'each' : asked],
  ];
}
