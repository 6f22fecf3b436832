import type { CookieName } from '../../routers/base/cookies.js';
import type { PageRequest } from './request.js';

const YEAR_SECONDS = 365 * 24 * 3600;

/** Keeps in this browser, for a year, what its user has chosen for pages in it; null forgets it. */
export const remember = ({ ctx }: PageRequest, name: CookieName, value: string | null): void =>
  void ctx.outgoingCookies.push({ name, value, maxAgeSeconds: YEAR_SECONDS });
