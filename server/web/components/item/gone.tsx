import type { ListedImage, PasteRecord, ShortUrlRecord } from '../../records.js';
import { Icon } from '../icon.js';
import { Time } from '../parts.js';

/** What decides when an item ends. */
export interface Lifetime {
  readonly expiresAt: string | null;
  /** Views or visits so far, and their limit; null for no limit. */
  readonly used: number | null;
  readonly limit: number | null;
}

export const imageLifetime = ({ expiresAt, views, maxViews }: ListedImage): Lifetime => ({
  expiresAt,
  used: views,
  limit: maxViews,
});

export const pasteLifetime = ({ expiresAt }: PasteRecord): Lifetime => ({
  expiresAt,
  used: null,
  limit: null,
});

/** The interface writes "no limit" as -1. */
export const linkLifetime = ({ expiresAt, visits, maxUses }: ShortUrlRecord): Lifetime => ({
  expiresAt,
  used: visits,
  limit: maxUses > 0 ? maxUses : null,
});

const isExpired = ({ expiresAt }: Lifetime): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

/** Whether an item has ended: only its owner still sees it, and there is nothing to share. */
export const isOver = (of: Lifetime): boolean =>
  isExpired(of) || (of.limit !== null && (of.used ?? 0) >= of.limit);

/**
 * The status of an item's page: 404 for everyone once it has ended (contract §5), although its owner still sees it.
 */
export const pageStatus = (of: Lifetime): 200 | 404 => (isOver(of) ? 404 : 200);

/** A notice that an item has ended and who still sees it; nothing before that. */
export function GoneNotice({ of, mine }: { readonly of: Lifetime; readonly mine: boolean }) {
  if (!isOver(of)) return null;
  return (
    <p class="notice">
      <Icon name="clock" />
      <span>
        {isExpired(of) ? (
          <>
            Expired on <Time at={of.expiresAt ?? ''} />
          </>
        ) : (
          'Its limit has been reached'
        )}
        ; {mine ? 'only you can still see it' : 'its owner can still see it'}.
      </span>
    </p>
  );
}
