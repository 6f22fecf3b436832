import type { ListedImage, PasteRecord, ShortUrlRecord } from '../records.js';
import { Icon } from './icon.js';
import { Time } from './parts.js';

/** What an item's end depends on. */
export interface Lifetime {
  readonly expiresAt: string | null;
  /** Views or visits so far, and how many there may be; null for any number. */
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

/** Whether an item is over: there is nothing to share any more, its owner alone still finds it. */
export const isOver = (of: Lifetime): boolean =>
  isExpired(of) || (of.limit !== null && (of.used ?? 0) >= of.limit);

/** The status of an item's page. What is over answers 404 to everybody (contract §5), although its owner still sees it. */
export const pageStatus = (of: Lifetime): 200 | 404 => (isOver(of) ? 404 : 200);

/** Says over an item that it is over, and who still sees it; nothing while it lives. */
export function GoneNotice({ of, mine }: { readonly of: Lifetime; readonly mine: boolean }) {
  if (!isOver(of)) return null;
  return (
    <p class="notice">
      <Icon name="clock" />
      <span>
        {isExpired(of) ? (
          <>
            Gone since <Time at={of.expiresAt ?? ''} />
          </>
        ) : (
          'Gone: it is used up'
        )}
        ; {mine ? 'only you see it' : 'its owner still sees it'}.
      </span>
    </p>
  );
}
