import { anyBlockedHash } from '../../db/system/block.js';
import type { Services } from '../context.js';
import { refuseUnscanned, verdictOn } from '../order/entry.js';
import type { StagedBlob } from '../ports/storage.js';

/** Why the bytes of an attachment are not kept. `unscanned`: they should be looked at, and nobody could for long. */
export const WITHHELD = ['blocked', 'malware', 'unscanned'] as const;
export type Withheld = (typeof WITHHELD)[number];

/** Says of the bytes of an attachment why they are not kept; null if they may be. */
type Examine = (blob: StagedBlob) => Promise<Withheld | null>;

/**
 * Looks at the attachments of one mail as uploads are looked at. The mail itself is always kept: it comes without what
 * must not come in. Fails with 503 if a file must be scanned and the scanner is away, so that whoever has the mail keeps it;
 * without `patience`, and if the scanner never will say what a file is, it is withheld.
 */
export function examiner(app: Services, { patience }: { readonly patience: boolean }): Examine {
  let isAway = false;
  return async ({ sha256, path }) => {
    if (await anyBlockedHash(app.db, app.db.read, [sha256])) return 'blocked';
    // A scanner that is silent takes its whole time-out, which a mail has only once.
    const verdict = isAway ? 'away' : await verdictOn(app, path);
    if (typeof verdict === 'object') {
      if (verdict.clean) return null;
      app.log.warn({ sha256, name: verdict.name }, 'an attachment with malware was withheld');
      return 'malware';
    }
    isAway = verdict === 'away';
    if (app.scanner?.required !== true) return null;
    return isAway && patience ? refuseUnscanned() : 'unscanned';
  };
}
