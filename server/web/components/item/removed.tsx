import { t } from '../../../../routers/base/language/i18n.js';
import type { ListedImage, PasteRecord, ShortUrlRecord } from '../../records.js';
import { rich } from '../../rich.js';
import { Icon } from '../icon.js';
import { Time } from '../parts.js';

/** What decides when an item ends. */
interface Lifetime {
  readonly expiresAt: string | null;
  /** Views or visits so far, and their limit; null for no limit. */
  readonly used: number | null;
  readonly limit: number | null;
  /** Why a moderator keeps it from everybody else but its owner; null for other items. */
  readonly quarantine: string | null;
}

/** When and why an image goes away. */
export const imageLifetime = ({ expiresAt, views, maxViews, quarantine }: ListedImage): Lifetime => ({
  expiresAt,
  used: views,
  limit: maxViews,
  quarantine,
});

/** When and why a paste goes away. */
export const pasteLifetime = ({ expiresAt, quarantine }: PasteRecord): Lifetime => ({
  expiresAt,
  used: null,
  limit: null,
  quarantine,
});

/** The interface writes "no limit" as -1. */
export const linkLifetime = ({ expiresAt, visits, maxUses, quarantine }: ShortUrlRecord): Lifetime => ({
  expiresAt,
  used: visits,
  limit: maxUses > 0 ? maxUses : null,
  quarantine,
});

const isExpired = ({ expiresAt }: Lifetime): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

/** Whether an item has ended: only its owner still sees it, and there is nothing to share. */
export const isEnded = (of: Lifetime): boolean =>
  of.quarantine !== null || isExpired(of) || (of.limit !== null && (of.used ?? 0) >= of.limit);

/**
 * The status of an item's page: 404 for everyone once it has ended (contract §5), although its owner still sees it.
 */
export const pageStatus = (of: Lifetime): 200 | 404 => (isEnded(of) ? 404 : 200);

/** A notice that an item has ended and who still sees it; nothing before that. */
export function RemovedNotice({ of, mine }: { readonly of: Lifetime; readonly mine: boolean }) {
  if (of.quarantine !== null)
    return (
      <p class="notice">
        <Icon name="shield" />
        <span>
          {rich(
            mine
              ? 'A moderator hides this: {reason}. Only you and moderators still see it.'
              : 'A moderator hides this: {reason}. Only its owner and moderators still see it.',
            { reason: <q dir="auto">{of.quarantine}</q> },
          )}
        </span>
      </p>
    );
  if (!isEnded(of)) return null;
  return (
    <p class="notice">
      <Icon name="clock" />
      <span>
        {isExpired(of)
          ? rich(
              mine
                ? 'Expired on {time}; only you can still see it.'
                : 'Expired on {time}; its owner can still see it.',
              { time: <Time at={of.expiresAt ?? ''} /> },
            )
          : t(
              mine
                ? 'Its limit has been reached; only you can still see it.'
                : 'Its limit has been reached; its owner can still see it.',
            )}
      </span>
    </p>
  );
}
