import type { Kind } from '../../routers/base/kinds.js';
import { noteShown } from '../../routers/features/stats/shown.js';
import type { PageRequest } from './request.js';

/** Counts that the page of an item was opened: not for HEAD, nor for a reader who is on it and only sees it differently. */
export async function noteOpened(
  { ctx, method, site }: PageRequest,
  kind: Kind,
  uniqueId: string,
): Promise<void> {
  const again = method === 'GET' && pathOf(ctx.referrer ?? '', site.origin) === site.path;
  if (method !== 'HEAD' && !again) await noteShown(ctx, kind, uniqueId);
}

/** The path of an address of this site; null for any other. */
function pathOf(address: string, origin: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.origin === origin ? url.pathname.replace(/^\/v1(?=\/web\/)/, '') : null;
}
