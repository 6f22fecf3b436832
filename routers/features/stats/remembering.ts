/** Headers whose reading is remembered: most clients send the same few. */
const REMEMBERED = 2_000;
/** As much of a header is read. */
const MAX_LENGTH = 512;

/** A function of a header that remembers its results; an absent header is read as an empty one. */
export function remembering<T>(read: (header: string) => T): (header: string | null) => T {
  const known = new Map<string, T>();
  return (sent) => {
    const header = sent === null ? '' : sent.slice(0, MAX_LENGTH);
    const before = known.get(header);
    if (before !== undefined) return before;
    const result = read(header);
    if (known.size >= REMEMBERED) known.clear();
    known.set(header, result);
    return result;
  };
}
