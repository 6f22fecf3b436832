import { json } from '../../engine/query.js';

/** What a visit has to be for a rule; every given condition must hold. Times are those of `parseBound`. */
export interface RuleConditions {
  readonly device?: readonly string[] | undefined;
  /** Codes of two letters. */
  readonly country?: readonly string[] | undefined;
  readonly language?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Parameters of the visit's query; `*` stands for any value. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly bot?: boolean | undefined;
}

/** Leads visits that fit to another target. */
export interface LinkRule {
  readonly when: RuleConditions;
  readonly url: string;
}

/** A target that gets its share of the visits. */
interface LinkPart {
  readonly url: string;
  readonly weight: number;
}

/** How a link leads on, beyond its one target. */
export interface LinkWay {
  /** The first one that fits wins. */
  readonly rules: readonly LinkRule[];
  /** Instead of the one target where no rule fits; empty for none. */
  readonly split: readonly LinkPart[];
  /** Where it leads when it is over, used up, or has not begun. */
  readonly fallbackUrl: string | null;
  /** Epoch milliseconds; null for at once. */
  readonly startsAt: number | null;
  /** Whether what follows its id in a path is passed on to the target. */
  readonly forwardPath: boolean;
}

/** The way of a link that only leads to its target. */
export const PLAIN_WAY: LinkWay = {
  rules: [],
  split: [],
  fallbackUrl: null,
  startsAt: null,
  forwardPath: false,
};

/** Ways that were read lately, by their column, and how many characters of columns are kept at most. */
const known = new Map<string, LinkWay>();
const MAX_CHARS = 2 * 1024 * 1024;
let chars = 0;

/** The way in a column; a plain one is null there. The same object for the same column, so that it is read once. */
export function wayFromColumn(column: string | null): LinkWay {
  if (column === null) return PLAIN_WAY;
  const before = known.get(column);
  if (before !== undefined) return before;
  const way = { ...PLAIN_WAY, ...json<Partial<LinkWay>>(column) };
  if (chars + column.length > MAX_CHARS) {
    known.clear();
    chars = 0;
  }
  known.set(column, way);
  chars += column.length;
  return way;
}

/** The column of a way: only what differs from a plain one. */
export function wayColumn(way: LinkWay): string | null {
  const { rules, split, ...others } = way;
  const own = {
    ...(rules.length > 0 ? { rules } : {}),
    ...(split.length > 0 ? { split } : {}),
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null && value !== false)),
  };
  return Object.keys(own).length === 0 ? null : JSON.stringify(own);
}

/** Whether its time has not come. */
export const hasNotBegun = ({ way }: { readonly way: LinkWay }, at = Date.now()): boolean =>
  way.startsAt !== null && way.startsAt > at;
