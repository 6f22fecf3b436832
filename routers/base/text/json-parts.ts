/** How many parts a JSON text may have so that reading it delays nobody noticeably. */
interface JsonParts {
  /** Lists and objects. */
  readonly nests: number;
  readonly names: number;
  /** Parts of lists and objects. */
  readonly values: number;
}

/** More than any request needs: an import of 5,000 links with all their fields and 20 tags each. */
const MAX_JSON_PARTS: JsonParts = { nests: 100_000, names: 100_000, values: 400_000 };

/** Texts of this length are never looked through: nothing in them takes long. */
const SHORT = 16 * 1024;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const LIST = 91;
const ESCAPE = 92;
const OBJECT = 123;

/**
 * Whether a JSON text has no more parts than `max`: what its parser costs follows from them, not from its length. Eight
 * million brackets take seconds.
 */
export function hasFewParts(json: string, max = MAX_JSON_PARTS): boolean {
  if (json.length <= SHORT) return true;
  let [nests, names, values] = [max.nests, max.names, max.values];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at + 1);
    else if (code === COMMA) values -= 1;
    else if (code === COLON) names -= 1;
    else if (code === LIST || code === OBJECT) nests -= 1;
    if (nests < 0 || names < 0 || values < 0) return false;
  }
  return true;
}

/** Where a string ends whose first character is at `start`: at a quote behind an even number of backslashes. */
function endOfString(json: string, start: number): number {
  for (let from = start; ; ) {
    const end = json.indexOf('"', from);
    if (end < 0) return json.length;
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === ESCAPE) escapes += 1;
    if (escapes % 2 === 0) return end;
    from = end + 1;
  }
}
