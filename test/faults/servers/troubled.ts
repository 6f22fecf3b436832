import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { PATIENCE_MS, until } from '../../support/until.js';
import { type Actor, shorten } from '../clients/actions.js';
import { type Answer, type Client, Unexpected } from '../clients/client.js';
import { Ledger } from '../clients/ledger.js';
import { actAtRandom } from '../clients/load.js';
import { Random } from '../clients/random.js';
import { makeSamples } from '../clients/samples.js';

const WORKERS = 12;
/** The delay before a caller retries after a refusal, in milliseconds. */
const PAUSE_MS = 20;

/** A caller who makes requests, and records what was acknowledged. */
export async function newActor(client: Client): Promise<Actor> {
  const random = new Random(Date.now() % 2 ** 32);
  console.log(`# seed ${random.seed}`);
  const shared = Array.from({ length: 3 }, () => random.bytes(20_000));
  const actor = { client, ledger: new Ledger(), random, samples: await makeSamples(), shared };
  for (const maxUses of [null, 200]) await shorten(actor, maxUses);
  return actor;
}

/** Mixed load on a server that keeps running while a part of it fails. */
export interface TroubledLoad {
  /** How often each status was answered instead of success. */
  readonly refusals: ReadonlyMap<number, number>;
  /** Resolves when this many more requests were refused, or acknowledged. */
  refused(more: number): Promise<void>;
  acknowledged(more: number): Promise<void>;
  /** Ends the load; rejects if anybody got a wrong answer, a cut connection or none at all. */
  stop(): Promise<void>;
}

/**
 * Puts mixed load on a server. Requests may be refused with these statuses, in the envelope; anything else
 * fails the load. The ledger records only what was acknowledged.
 */
export function startTroubledLoad(actor: Actor, statuses: readonly number[]): TroubledLoad {
  const refusals = new Map<number, number>();
  let refused = 0;
  let over = false;

  async function work(): Promise<void> {
    while (!over) {
      try {
        await inTime(actAtRandom(actor), 'an answer');
        actor.ledger.acknowledged += 1;
      } catch (error) {
        if (!(error instanceof Unexpected) || !statuses.includes(error.answer.status)) throw error;
        checkRefusal(error.answer);
        refusals.set(error.answer.status, (refusals.get(error.answer.status) ?? 0) + 1);
        refused += 1;
        await delay(PAUSE_MS);
      }
    }
  }

  const working = Promise.all(
    Array.from({ length: WORKERS }, () =>
      work().finally(() => {
        over = true;
      }),
    ),
  );
  working.catch(() => undefined);

  const grown = async (count: () => number, more: number): Promise<void> => {
    const aim = count() + more;
    try {
      await until(() => over || count() >= aim);
    } catch (error) {
      over = true;
      throw error;
    }
    if (over) await working;
  };
  return {
    refusals,
    refused: (more) => grown(() => refused, more),
    acknowledged: (more) => grown(() => actor.ledger.acknowledged, more),
    stop: async () => {
      over = true;
      await working;
    },
  };
}

/** A refusal is the envelope with a sentence; a temporary one says when to retry. */
export function checkRefusal({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): void {
  const { error, message } = JSON.parse(body.toString());
  assert.is(error, true);
  assert.match(message, /^[A-Z][^{}<>]+$/);
  assert.not.match(message, /SQL|ECONN|ENOSPC|relation|at \//, 'nothing private is told');
  if (status === 503) assert.ok(Number(headers['retry-after']) > 0, `${status} says when to try again`);
}

/** Rejects if the work hangs. */
export async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come in time`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
