import type { ComponentChildren } from 'preact';
import { HiddenNotice } from '../../moderation/hidden-notice.js';
import type { ListedImage, UserSummary } from '../../records.js';
import { Person, Time } from '../parts.js';
import { thumbnailOf } from './media.js';

/** The head of a collection that others look at: its cover, what it is called, whose it is and what is in it. */
export function Hero({
  title,
  description,
  cover,
  owner,
  at,
  holds,
  quarantine = null,
  sealedName = null,
  children,
}: {
  readonly title: string;
  readonly description: string | null;
  readonly cover: ListedImage | null;
  readonly owner: UserSummary;
  readonly at: string;
  readonly holds: readonly string[];
  readonly quarantine?: string | null;
  readonly sealedName?: string | null;
  /** What can be done with all of it. */
  readonly children: ComponentChildren;
}) {
  const source = cover && thumbnailOf(cover, 1280);
  return (
    <>
      <header class={source ? 'cover-head' : 'cover-head bare'}>
        {source && <img src={source} alt="" fetchpriority="high" />}
        <div class="words">
          <h1 dir="auto" data-named={sealedName ?? undefined}>
            {title}
          </h1>
          {description && (
            <p class="lead" dir="auto">
              {description}
            </p>
          )}
          <p class="byline">
            <Person user={owner} />
            <span>
              {holds.map((what) => `${what} · `)}
              <Time at={at} />
            </span>
          </p>
          <p class="actions">{children}</p>
        </div>
      </header>
      <HiddenNotice reason={quarantine} />
    </>
  );
}
