/** What was counted for one key, until a time since the start of this process: clocks may be set. */
interface Span {
  readonly points: number;
  readonly endsAt: number;
}

/** Spans with so many points and more are alike when one has to go. */
const LEVELS = 64;

/**
 * The spans of one limit in the memory of this process, all equally long.
 *
 * When there is no room, `evict` drops a span with the fewest points. For as long as a span lasts from then on, a key
 * that is not known begins with the most points that any dropped one had, since it may be that one. So no flood of other
 * keys makes a key start over with less than it had: it only makes everybody's count higher, by about as many points
 * as there were for each span that has room.
 */
export class LimitWindows {
  /** In the order in which they began, which is that in which they end. */
  readonly #spans = new Map<string, Span>();
  /** The same keys by their points. */
  readonly #levels = Array.from({ length: LEVELS }, () => new Set<string>());
  /** The most points that a dropped key had; what begins before this ends, ends with it, so that it cannot grow for ever. */
  #dropped: Span = { points: 0, endsAt: 0 };
  #spanMs = 0;

  get size(): number {
    return this.#spans.size;
  }

  /** Counts points for a key at a moment; returns its span, which lasts `spanMs` from its first point on at most. */
  count(key: string, points: number, at: number, spanMs: number): Span {
    this.#spanMs = spanMs;
    this.deleteEnded(at);
    const running = this.#spans.get(key);
    if (running !== undefined) return this.#put(key, { ...running, points: running.points + points });
    if (this.#dropped.endsAt > at)
      return this.#put(key, { ...this.#dropped, points: this.#dropped.points + points });
    return this.#put(key, { points, endsAt: at + spanMs });
  }

  /** Takes one point back. */
  uncount(key: string): void {
    const span = this.#spans.get(key);
    if (span !== undefined) this.#put(key, { ...span, points: Math.max(0, span.points - 1) });
  }

  delete(key: string): void {
    const span = this.#spans.get(key);
    if (span === undefined) return;
    this.#level(span).delete(key);
    this.#spans.delete(key);
  }

  /** Removes the spans that are over. */
  deleteEnded(at: number): void {
    for (const [key, { endsAt }] of this.#spans) {
      if (endsAt > at) return;
      this.delete(key);
    }
  }

  /** Drops a span of those with the fewest points, the one that has had as many for the longest time. */
  evict(at: number): void {
    const [key] = this.#levels.find(({ size }) => size > 0) ?? [];
    const span = key === undefined ? undefined : this.#spans.get(key);
    if (key === undefined || span === undefined) return;
    this.delete(key);
    this.#dropped =
      this.#dropped.endsAt > at
        ? { ...this.#dropped, points: Math.max(this.#dropped.points, span.points) }
        : { points: span.points, endsAt: at + this.#spanMs };
  }

  #put(key: string, span: Span): Span {
    const before = this.#spans.get(key);
    if (before !== undefined) this.#level(before).delete(key);
    this.#level(span).add(key);
    this.#spans.set(key, span);
    return span;
  }

  #level({ points }: Span): Set<string> {
    return this.#levels[Math.min(points, LEVELS - 1)] as Set<string>;
  }
}
