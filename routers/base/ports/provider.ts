/** How calls to configured services fail: the chat application, the messenger, the mail provider. */

/** The provider gave no usable response: unreachable, slow, overloaded, failing or invalid (502). */
export class ProviderDown extends Error {
  constructor(
    provider: string,
    reason: string,
    /** How long the provider asked us to wait, or null. */
    readonly retryAfterSeconds: number | null = null,
    /** The status of its response, or null. */
    readonly status: number | null = null,
  ) {
    super(`${provider} ${reason}`);
    this.name = 'ProviderDown';
  }
}

/** The provider understood and refused the call: a wrong code, an invalid token, a blocked chat (400). */
export class ProviderRefused extends Error {
  constructor(
    provider: string,
    readonly status: number,
    /** The provider's own message; for the log. */
    readonly detail: string,
  ) {
    super(`${provider} refused with ${status}: ${detail}`);
    this.name = 'ProviderRefused';
  }
}

/** Whether the error is one of these. */
export const isProviderError = (error: unknown): error is ProviderDown | ProviderRefused =>
  error instanceof ProviderDown || error instanceof ProviderRefused;
