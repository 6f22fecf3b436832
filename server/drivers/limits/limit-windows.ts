/** Points of one key, with the end as monotonic process time, because the system clock may be changed. */
interface Span {
  readonly points: number;
  readonly endsAt: number;
}

/** Windows with this many points or more are treated alike by eviction. */
const LEVELS = 64;

/**
 * The windows of one limit in the memory of this process, all of the same length.
 *
 * Without room, `evict` drops a window with the fewest points. For one window length after that, a new key starts
 * with the most points that a dropped key had, because it may be that key. So flooding with other keys never resets a
 * key to less than it had. It only raises everybody's count, by about as many points as there were per window that
 * has room.
 */
export class LimitWindows {
  /** In the order in which they began, and therefore end. */
  readonly #spans = new Map<string, Span>();
  /** The same keys by their points. */
  readonly #levels = Array.from({ length: LEVELS }, () => new Set<string>());
  /**
   * The most points that a dropped key had. Windows that start before `endsAt` also end then, so this cannot grow
   * forever.
   */
  #dropped: Span = { points: 0, endsAt: 0 };
  #spanMs = 0;

  get size(): number {
    return this.#spans.size;
  }

  /** Adds points to a key and returns its window, which lasts at most `spanMs` from its first point. */
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

  /** Removes expired windows. */
  deleteEnded(at: number): void {
    for (const [key, { endsAt }] of this.#spans) {
      if (endsAt > at) return;
      this.delete(key);
    }
  }

  /** Drops a window with the fewest points; among those, the one whose count has not changed for longest. */
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
