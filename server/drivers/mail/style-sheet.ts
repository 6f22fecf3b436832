/** The rules of a mail's style sheets that say how it looks everywhere; those for some screens only are left out. */

/** What a rule needs to know of an element. */
export interface Matchable {
  readonly tag: string;
  readonly id: string;
  readonly classes: ReadonlySet<string>;
  readonly parent: Matchable | null;
}

interface Compound {
  readonly tag: string;
  readonly id: string;
  readonly classes: readonly string[];
  /** Must be matched by the parent of the element that the next compound matches, not by any ancestor. */
  readonly direct: boolean;
}

interface Rule {
  /** The last one is about the element itself. */
  readonly chain: readonly Compound[];
  readonly weight: number;
  readonly style: string;
}

const MAX_LENGTH = 256 * 1024;
const MAX_RULES = 2_000;
const MAX_CHAIN = 8;
/**
 * Names that are compared for a whole mail; a mail that needs more is shown without the rest of its rules. A selector may
 * have thousands of classes and be about thousands of elements, so comparisons are counted, not selectors.
 */
const MAX_STEPS = 1_000_000;
/** Characters of all declarations that elements are given, as one rule may be about every element. */
const MAX_GIVEN = 2 * 1024 * 1024;
const COMPOUND = /^(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)$/i;

/** The styles that style sheets give to elements. */
interface StyleSheet {
  /** Declarations for an element, the weightiest last. */
  stylesFor(element: Matchable): string[];
}

/** Reads style sheets; what it does not understand, such as `:hover`, is about nothing that is shown. */
export function readStyleSheet(sources: readonly string[]): StyleSheet {
  const rules = new Map<string, Rule[]>();
  let count = 0;
  for (const rule of rulesIn(sources.join('\n').slice(0, MAX_LENGTH))) {
    if (count >= MAX_RULES) break;
    count += 1;
    const key = keyOf(rule.chain.at(-1));
    const others = rules.get(key);
    if (others === undefined) rules.set(key, [rule]);
    else others.push(rule);
  }
  let steps = 0;
  let given = 0;
  const fits = ({ tag, id, classes }: Compound, element: Matchable): boolean => {
    steps += 1;
    if (tag !== '*' && tag !== element.tag) return false;
    if (id !== '' && id !== element.id) return false;
    for (const name of classes) {
      steps += 1;
      if (!element.classes.has(name)) return false;
    }
    return true;
  };
  const matches = (chain: readonly Compound[], element: Matchable): boolean => {
    let at: Matchable | null = element;
    for (let index = chain.length - 1; index >= 0; index -= 1) {
      const compound = chain[index];
      if (compound === undefined) return false;
      const strict = index === chain.length - 1 || chain[index + 1]?.direct === true;
      while (at !== null && !fits(compound, at)) {
        if (strict || steps > MAX_STEPS) return false;
        at = at.parent;
      }
      if (at === null) return false;
      at = at.parent;
    }
    return true;
  };
  return {
    stylesFor: (element) => {
      if (rules.size === 0 || steps > MAX_STEPS || given > MAX_GIVEN) return [];
      const classes = [...element.classes].map((name) => `.${name}`);
      const found = [element.tag, ...classes, `#${element.id}`, '*']
        .flatMap((key) => rules.get(key) ?? [])
        .filter(({ chain }) => steps <= MAX_STEPS && matches(chain, element));
      given += found.reduce((sum, { style }) => sum + style.length, 0);
      return found.sort((a, b) => a.weight - b.weight).map(({ style }) => style);
    },
  };
}

const keyOf = (compound: Compound | undefined): string => {
  if (compound === undefined) return '*';
  if (compound.id !== '') return `#${compound.id}`;
  return compound.classes[0] === undefined ? compound.tag : `.${compound.classes[0]}`;
};

/** The rules outside of blocks that begin with `@`. */
function* rulesIn(source: string): Generator<Rule> {
  const text = source.replace(/\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g, ' ');
  let order = 0;
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('{', at);
    if (open < 0) return;
    const head = text.slice(at, open);
    const end = endOfBlock(text, open);
    at = end + 1;
    const selectors = head.slice(head.lastIndexOf(';') + 1).trim();
    if (selectors.startsWith('@')) continue;
    const style = text.slice(open + 1, end);
    for (const selector of selectors.split(',')) {
      const chain = chainOf(selector);
      if (chain === null) continue;
      order += 1;
      yield { chain, weight: weightOf(chain) * 1e6 + order, style };
    }
  }
}

/** Where the block that opens here ends. */
function endOfBlock(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function chainOf(selector: string): Compound[] | null {
  // No pattern with spaces on both sides: on thousands of spaces it would take seconds.
  const words = selector.replaceAll('>', ' > ').trim().split(/\s+/);
  const chain: Compound[] = [];
  let direct = false;
  for (const word of words) {
    if (word === '>') {
      direct = true;
      continue;
    }
    const [whole, tag = '*', names = ''] = COMPOUND.exec(word) ?? [];
    if (whole === undefined || whole === '') return null;
    const parts = names.match(/[.#][\w-]+/g) ?? [];
    chain.push({
      tag: tag.toLowerCase(),
      id: parts.find((part) => part.startsWith('#'))?.slice(1) ?? '',
      classes: parts.filter((part) => part.startsWith('.')).map((part) => part.slice(1)),
      direct,
    });
    direct = false;
  }
  return chain.length === 0 || chain.length > MAX_CHAIN ? null : chain;
}

const weightOf = (chain: readonly Compound[]): number =>
  chain.reduce(
    (sum, { tag, id, classes }) => sum + (id === '' ? 0 : 100) + 10 * classes.length + (tag === '*' ? 0 : 1),
    0,
  );
