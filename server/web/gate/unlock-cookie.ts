import { z } from 'zod';
import type { PageRequest } from '../request.js';

/** How long a browser can reopen an item without its password, in seconds: only for Back and Reload. */
const KEPT_SECONDS = 10 * 60;

const kept = z.object({ path: z.string(), password: z.string(), until: z.number() });

/**
 * Lets this browser return to the item it has opened with a password for ten minutes. Only the latest item is kept.
 * The cookie is encrypted, and scripts cannot read it.
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

/** The password with which this browser opened the item of this page; null if there is none or it has expired. */
export function unlockedWith({ ctx }: PageRequest, path: string): string | null {
  const cookie = ctx.cookie('opened_item');
  if (cookie === null) return null;
  try {
    const { path: of, password, until } = kept.parse(JSON.parse(ctx.app.secrets.decrypt(cookie)));
    return of === path && Date.now() < until ? password : null;
  } catch {
    // Not a cookie that we created.
    return null;
  }
}
