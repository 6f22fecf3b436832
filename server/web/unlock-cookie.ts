import { z } from 'zod';
import type { PageRequest } from './request.js';

/** How long a browser opens an item again without asking, in seconds: for Back and Reload, not for good. */
const KEPT_SECONDS = 10 * 60;

const kept = z.object({ path: z.string(), password: z.string(), until: z.number() });

/**
 * Lets this browser come back to the item it has opened with a password, for ten minutes. Only the latest item is
 * kept. The cookie is encrypted, and no script can read it.
 */
export function keepUnlocked({ ctx }: PageRequest, path: string, password: string): void {
  const until = Date.now() + KEPT_SECONDS * 1000;
  const value = ctx.app.secrets.encrypt(
    JSON.stringify({ path, password, until } satisfies z.output<typeof kept>),
  );
  ctx.outgoingCookies.push({
    name: 'opened_item',
    value: Buffer.from(value, 'base64').toString('base64url'),
    maxAgeSeconds: KEPT_SECONDS,
  });
}

/** The password that opened the item of this page in this browser; null when there is none, or its time is over. */
export function unlockedWith({ ctx }: PageRequest, path: string): string | null {
  const cookie = ctx.cookie('opened_item');
  if (cookie === null) return null;
  try {
    const { path: of, password, until } = kept.parse(JSON.parse(ctx.app.secrets.decrypt(cookie)));
    return of === path && Date.now() < until ? password : null;
  } catch {
    // Not a cookie that we made.
    return null;
  }
}
