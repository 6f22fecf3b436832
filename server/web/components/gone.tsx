import { Icon } from './icon.js';
import { Time } from './parts.js';

/** What decides when an item ends. */
export interface Lifetime {
  readonly expiresAt: string | null;
  /** Views or visits so far, and their limit; null for no limit. */
  readonly used: number | null;
  readonly limit: number | null;
}

const isExpired = ({ expiresAt }: Lifetime): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

/** Whether an item has ended: only its owner still sees it, and there is nothing to share. */
export const isOver = (of: Lifetime): boolean =>
  isExpired(of) || (of.limit !== null && (of.used ?? 0) >= of.limit);

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
