import { DAY_MS, dayOf } from '../../../db/engine/days.js';
import {
  NAMED_HOSTS,
  OTHER_HOSTS,
  type ViewCount,
  type ViewsFrom,
} from '../../../db/statistics/view-days.js';
import { byKind, KIND_NAMES, KINDS, type Kind } from '../../base/kinds.js';
import type { Agent } from './user-agent.js';

/** Different counts that a batch holds; more are not counted. */
const MAX_COUNTS = 20_000;
/** Numbers of traits: an item and its trait are one number, because an object for each view would cost more. */
const TRAITS = 8_192;
/** From then on hosts are no longer told apart; there are at most a few hundred agents. */
const MAX_HOSTED = 4_096;
/** Codes of two letters as numbers. */
const COUNTRIES = 26 * 26;
const A = 'A'.charCodeAt(0);

interface Trait {
  readonly agent: Agent;
  readonly host: string;
}

/** Views of a few seconds, counted by item and trait. All are of the day on which the batch begins. */
export class ViewBatch {
  readonly day: number;
  /** When its day is over, epoch milliseconds. */
  readonly ends: number;
  /** Views that found no place. */
  lost = 0;
  #size = 0;
  readonly #traits: Trait[] = [];
  readonly #numbers = new Map<Agent, Map<string, number>>();
  readonly #views = byKind(() => new Map<number, number>());
  readonly #countries = byKind(() => new Map<number, number>());

  constructor(at: number) {
    this.day = dayOf(at);
    this.ends = (this.day + 1) * DAY_MS;
  }

  /** How many different counts it holds. */
  get size(): number {
    return this.#size;
  }

  add(kind: Kind, id: number, agent: Agent, host: string, country: string | null, views: number): void {
    this.#count(this.#views[kind], id * TRAITS + this.#numberOf(agent, host), views);
    if (country === null) return;
    const code = (country.charCodeAt(0) - A) * 26 + country.charCodeAt(1) - A;
    this.#count(this.#countries[kind], id * COUNTRIES + code, views);
  }

  #numberOf(agent: Agent, host: string): number {
    let hosts = this.#numbers.get(agent);
    if (hosts === undefined) {
      hosts = new Map();
      this.#numbers.set(agent, hosts);
    }
    const known = hosts.get(host);
    if (known !== undefined) return known;
    if (host !== '' && host !== OTHER_HOSTS && this.#traits.length >= MAX_HOSTED)
      return this.#numberOf(agent, OTHER_HOSTS);
    const number = this.#traits.push({ agent, host }) - 1;
    hosts.set(host, number);
    return number;
  }

  #count(counts: Map<number, number>, key: number, views: number): void {
    const known = counts.get(key);
    if (known !== undefined) counts.set(key, known + views);
    else if (this.#size >= MAX_COUNTS) this.lost += views;
    else {
      counts.set(key, views);
      this.#size += 1;
    }
  }

  /** All counts in parts with at most so many; each in the same order in every process, so that these do not deadlock. */
  *parts(size: number): Generator<{ views: ViewCount[]; countries: ViewsFrom[] }> {
    let part = { views: [] as ViewCount[], countries: [] as ViewsFrom[] };
    for (const kind of KINDS) {
      for (const views of this.#viewsOf(kind)) {
        part.views.push(views);
        if (part.views.length < size) continue;
        yield part;
        part = { views: [], countries: [] };
      }
    }
    for (const kind of KINDS) {
      for (const [key, views] of inOrder(this.#countries[kind])) {
        const itemId = Math.floor(key / COUNTRIES);
        part.countries.push({ kind, itemId, day: this.day, country: codeOf(key % COUNTRIES), views });
        if (part.views.length + part.countries.length < size) continue;
        yield part;
        part = { views: [], countries: [] };
      }
    }
    if (part.views.length + part.countries.length > 0) yield part;
  }

  *#viewsOf(kind: Kind): Generator<ViewCount> {
    const { day } = this;
    // Each visit of a link is counted with its traits where it is logged.
    const elsewhere = KIND_NAMES[kind].hits === 'visits';
    let named = { itemId: 0, hosts: new Set<string>() };
    for (const [key, views] of inOrder(this.#views[kind])) {
      const itemId = Math.floor(key / TRAITS);
      const { agent, host } = this.#traits[key % TRAITS] as Trait;
      if (named.itemId !== itemId) named = { itemId, hosts: new Set() };
      named.hosts.add(host);
      const referrerHost = named.hosts.size > NAMED_HOSTS ? OTHER_HOSTS : host;
      const { browser, system, bot } = agent;
      const traits = elsewhere ? null : { browser, system, referrerHost };
      yield { kind, itemId, day, bot, traits, views };
    }
  }
}

const codeOf = (number: number): string =>
  String.fromCharCode(A + Math.floor(number / 26), A + (number % 26));

const inOrder = (counts: ReadonlyMap<number, number>): [number, number][] =>
  [...counts].sort(([a], [b]) => a - b);
