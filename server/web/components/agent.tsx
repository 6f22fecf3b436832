import type { ComponentChildren } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import { readUserAgent } from '../../../routers/features/stats/user-agent.js';

/** A browser and its system in words, with a badge; what the program calls itself on demand. */
export function Agent({
  userAgent,
  unknown = t('Unknown'),
  children,
}: {
  readonly userAgent: string | null;
  /** What is said of one that tells nothing. */
  readonly unknown?: string;
  readonly children?: ComponentChildren;
}) {
  const { browser, system } = readUserAgent(userAgent);
  const words = [browser, system].filter((word) => word !== '').join(', ') || unknown;
  if (userAgent === null)
    return (
      <>
        {words} {children}
      </>
    );
  return (
    <details class="agent">
      <summary>
        {words} {children}
      </summary>
      <code>{userAgent}</code>
    </details>
  );
}
