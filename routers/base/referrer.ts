/** The host of a `Referer` header; null if it names none. */
export function hostOf(referrer: string | null | undefined): string | null {
  if (referrer === null || referrer === undefined || !URL.canParse(referrer)) return null;
  return new URL(referrer).hostname.slice(0, 253) || null;
}
