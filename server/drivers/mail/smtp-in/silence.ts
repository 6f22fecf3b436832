/** How long it is remembered that somebody did not answer. */
const SILENT_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Remembers, for some minutes, how often something happened to a subject; the oldest are forgotten first. */
export class Recent {
  readonly #times = new Map<string, { readonly count: number; readonly until: number }>();

  note(subject: string): void {
    const count = this.count(subject) + 1;
    this.#times.delete(subject);
    this.#times.set(subject, { count, until: performance.now() + SILENT_MS });
    const [oldest] = this.#times.keys();
    if (this.#times.size > MAX_REMEMBERED && oldest !== undefined) this.#times.delete(oldest);
  }

  count(subject: string): number {
    const known = this.#times.get(subject);
    return known === undefined || known.until < performance.now() ? 0 : known.count;
  }
}
