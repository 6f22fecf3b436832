/** A longer delay is not accepted: at most one day. */
const MAX_SECONDS = 86_400;

/** The seconds of a `Retry-After` header, which is a number or a date; null if absent or invalid. */
export function retryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 0), MAX_SECONDS);
}
