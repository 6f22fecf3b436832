/** No service is believed when it asks for more than a day. */
const LONGEST_SECONDS = 86_400;

/** Seconds of a `Retry-After` header, given as a number or as a date; null when absent or unreadable. */
export function retryAfter(header: string | undefined, now = Date.now()): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 0), LONGEST_SECONDS);
}
