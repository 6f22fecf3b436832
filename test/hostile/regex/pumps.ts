import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Characters for the common classes, besides those that an expression names itself. */
const PROBES = [...' \t\n\raZ09_-./:;,=@"\'<>()[]{}&#%*+!?\\|~', '\0', '\xa0', 'é', '\u{1f600}'];

/** Suffixes that make a match fail at its very end after a long run. */
const ENDINGS = ['\0', '\n!', '"'];

/** An unbounded repetition. */
const LONG = 100;

/**
 * Texts that each exercise one repetition of an expression: a prefix that leads to it, `times` repetitions of
 * what it matches (alone or together with the prefix), then a suffix that does not match.
 */
export function pumpedTexts(source: string, flags: string, times: number): string[] {
  const unicode = flags.includes('u') || flags.includes('v');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const sampler = new Sampler(source, flags.replace(/[gy]/g, ''));
  const places = pattern.alternatives.flatMap((alternative) => repetitionsIn(alternative, '', sampler));
  const texts = new Set<string>();
  const pump = (start: string, piece: string) => {
    if (piece === '') return;
    const run = piece.repeat(times);
    for (const ending of ENDINGS) texts.add(start + run + ending);
  };
  for (const { before, element } of places)
    for (const piece of sampler.pieces(element)) {
      pump(before, piece);
      pump('', before + piece);
    }
  for (const { before } of places) pump('', before);
  return unicode ? [...texts] : [...texts].filter((text) => text.isWellFormed());
}

interface Repetition {
  /** A text that leads to it. */
  readonly before: string;
  readonly element: AST.Element;
}

function repetitionsIn(alternative: AST.Alternative, start: string, sampler: Sampler): Repetition[] {
  const found: Repetition[] = [];
  let before = start;
  for (const element of alternative.elements) {
    found.push(...repetitionsOf(element, before, sampler));
    before += sampler.shortest(element);
  }
  return found;
}

function repetitionsOf(element: AST.Element, before: string, sampler: Sampler): Repetition[] {
  if (element.type === 'Quantifier') {
    const inner = repetitionsOf(element.element, before, sampler);
    return element.max < LONG ? inner : [{ before, element: element.element }, ...inner];
  }
  const inside =
    element.type === 'Group' ||
    element.type === 'CapturingGroup' ||
    (element.type === 'Assertion' && (element.kind === 'lookahead' || element.kind === 'lookbehind'));
  return inside ? element.alternatives.flatMap((each) => repetitionsIn(each, before, sampler)) : [];
}

/** Writes texts that parts of an expression match. */
class Sampler {
  readonly #alphabet: readonly string[];
  readonly #taken = new Map<string, readonly string[]>();

  constructor(
    source: string,
    private readonly flags: string,
  ) {
    this.#alphabet = [...new Set([...source.replace(/\\./g, ''), ...PROBES])];
  }

  /** The shortest text that an element matches, as far as can be determined. */
  shortest(element: AST.Element): string {
    return this.#sample(element, 0, 0);
  }

  /** Texts that an element matches, each with another choice of characters and alternatives. */
  pieces(element: AST.Element): string[] {
    const choices = Array.from({ length: this.#alphabet.length }, (_, choice) =>
      this.#sample(element, choice, 1),
    );
    return [...new Set(choices)];
  }

  #sample(element: AST.Element, choice: number, least: number): string {
    if (element.type === 'Quantifier')
      return this.#sample(element.element, choice, least).repeat(Math.max(element.min, least));
    if (element.type === 'Group' || element.type === 'CapturingGroup') {
      const { alternatives } = element;
      const each = alternatives[choice % alternatives.length]?.elements ?? [];
      return each.map((part) => this.#sample(part, choice, least)).join('');
    }
    if (element.type === 'Character') return String.fromCodePoint(element.value);
    if (element.type !== 'CharacterSet' && element.type !== 'CharacterClass') return '';
    const taken = this.#takenBy(element.raw);
    return taken[choice % taken.length] ?? '';
  }

  #takenBy(raw: string): readonly string[] {
    const known = this.#taken.get(raw);
    if (known !== undefined) return known;
    const alone = new RegExp(`^(?:${raw})$`, this.flags);
    const taken = this.#alphabet.filter((character) => alone.test(character));
    this.#taken.set(raw, taken);
    return taken;
  }
}
