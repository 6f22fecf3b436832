/** How calls of a configured service fail: the chat application, the messenger, the provider of mail. */

/** The provider gave no usable answer: unreachable, slow, overloaded, failing or talking nonsense (502). */
export class ProviderDown extends Error {
  constructor(
    provider: string,
    reason: string,
    /** What the provider asked us to wait, or null. */
    readonly retryAfterSeconds: number | null = null,
    /** The status it answered with, or null. */
    readonly status: number | null = null,
  ) {
    super(`${provider} ${reason}`);
    this.name = 'ProviderDown';
  }
}

/** The provider understood and refused: a wrong code, a dead token, a blocked chat (400). */
export class ProviderRefused extends Error {
  constructor(
    provider: string,
    readonly status: number,
    /** The provider's own words; for the log. */
    readonly detail: string,
  ) {
    super(`${provider} refused with ${status}: ${detail}`);
    this.name = 'ProviderRefused';
  }
}

/** True for either of these. */
export const isProviderError = (error: unknown): error is ProviderDown | ProviderRefused =>
  error instanceof ProviderDown || error instanceof ProviderRefused;
