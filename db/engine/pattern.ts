/** A pattern for `LIKE ... ESCAPE '!'` that finds this text anywhere. */
export const containing = (text: string): string => `%${text.replace(/[!%_]/g, '!$&')}%`;

/** A pattern for SQLite's `GLOB` that finds this text anywhere, ignoring the case of letters of any script. */
export const globOf = (text: string): string =>
  `*${anyCase(text, (other) => ('*?['.includes(other) ? `[${other}]` : other))}*`;

/** As `globOf`, for PostgreSQL's `~`. */
export const regexOf = (text: string): string =>
  anyCase(text, (other) => other.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'));

/** Replaces each letter by the set of its cases, and every other character by its literal. */
function anyCase(text: string, literal: (character: string) => string): string {
  return [...text]
    .map((character) => {
      const set = casesOf(character);
      return set.length === 1 ? literal(character) : `[${set.join('')}]`;
    })
    .join('');
}

function casesOf(character: string): string[] {
  const upper = character.toUpperCase();
  const cases = [character, character.toLowerCase(), upper, upper.toLowerCase()];
  // Some capitals are two characters (ß is SS), which a set cannot hold.
  return [...new Set(cases)].filter((one) => [...one].length === 1);
}
