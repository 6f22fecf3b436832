import type { ServerResponse } from 'node:http';
import { type CookieChange, specOf } from '../routers/base/cookies.js';

/** Cookie attributes (contract §1: COOKIE_DOMAIN, COOKIE_SAMESITE, COOKIE_SECURE). */
export interface CookieSettings {
  readonly domain: string | null;
  readonly sameSite: 'lax' | 'strict' | 'none';
  readonly secure: boolean;
}

const sameSiteOf = ({ name }: CookieChange, { sameSite }: CookieSettings): CookieSettings['sameSite'] =>
  sameSite === 'strict' && specOf(name).forReturn ? 'lax' : sameSite;

/** One `Set-Cookie` value. Our values are letters, digits, `-`, `_` and dots, so nothing needs quoting. */
function serialise(change: CookieChange, settings: CookieSettings): string {
  const sameSite = sameSiteOf(change, settings);
  const parts = [
    `${change.name}=${change.value ?? ''}`,
    `Path=${change.path ?? '/'}`,
    'HttpOnly',
    `SameSite=${sameSite.charAt(0).toUpperCase()}${sameSite.slice(1)}`,
    change.value === null ? 'Max-Age=0' : `Max-Age=${Math.floor(change.maxAgeSeconds)}`,
  ];
  if (settings.domain !== null) parts.push(`Domain=${settings.domain}`);
  if (settings.secure) parts.push('Secure');
  return parts.join('; ');
}

/** The `Set-Cookie` values for the cookies a request has changed. */
export const setCookieHeaders = (changes: readonly CookieChange[], settings: CookieSettings): string[] =>
  changes.map((change) => serialise(change, settings));

/** Adds the changed cookies to a response whose headers are not sent yet. */
export function applyCookies(
  res: ServerResponse,
  changes: readonly CookieChange[],
  settings: CookieSettings,
): void {
  for (const header of setCookieHeaders(changes, settings)) res.appendHeader('set-cookie', header);
}
