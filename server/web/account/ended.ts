import type { EndedAccess } from '../../../routers/features/auth/ending.js';

/** The words of a notice (`site-of.ts`) that begins with `first` and names what a new password has removed. */
export const andEnded = (first: 'reset' | 'recovered' | 'everything', ended: EndedAccess): string =>
  [
    first,
    ...(['keys', 'webhook', 'chatapp', 'messenger', 'identities', 'passkeys'] as const).filter((removed) =>
      Boolean(ended[removed]),
    ),
  ].join('.');
