import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { anyBlockedHash } from '../../../../db/system/block.js';
import type { Scanner } from '../../../base/ports/scanner.js';
import type { StagedBlob } from '../../../base/ports/storage.js';
import type { Services } from '../../../core/context.js';
import { refuseUnscanned, verdictOn } from '../../../core/entry/entry.js';

/** Why the bytes of an attachment are not kept. `unscanned`: they should be looked at, and nobody could for long. */
export const WITHHELD = ['blocked', 'malware', 'unscanned'] as const;
export type Withheld = (typeof WITHHELD)[number];

/** Says of files why they are not kept; null if they may be. */
export interface Examiner {
  /** Looks up at once whether any of these files is blocked, of which there may be thousands. */
  expect(files: readonly Buffer[]): Promise<void>;
  staged(blob: StagedBlob): Promise<Withheld | null>;
  bytes(bytes: Buffer): Promise<Withheld | null>;
}

/** What scanning the files of one mail may take together: senders wait ten minutes for an answer, and then ask again. */
const SCANNING_MS = 90_000;
/** How long the files of a mail that was refused are known as clean: it comes through, if need be, in several attempts. */
const CLEAN_MS = 60 * 60 * 1000;
const MAX_CLEAN = 10_000;

/** How the time for scanning is taken, in milliseconds. */
interface Clock {
  now(): number;
  /** Aborts after a while. */
  after(ms: number): AbortSignal;
}
const CLOCK: Clock = { now: () => performance.now(), after: (ms) => AbortSignal.timeout(Math.ceil(ms)) };

/** When a scanner found files of refused mails clean, by their hashes, oldest first. */
const cleanBefore = new WeakMap<Scanner, Map<string, number>>();

/**
 * Looks at the files of one mail as uploads are looked at. The mail itself is always kept: it comes without what must
 * not come in. Fails with 503 if a file must be scanned and the scanner is away, or too slow, so that whoever has the
 * mail keeps it; without `patience`, and if the scanner never will say what a file is, it is withheld. All files together
 * have one time, which only scanning takes. Once it is over, a scanner that has answered counts as one whose word is
 * needed: nothing comes in unseen because there is much before it.
 */
export function examiner(
  app: Services,
  { patience, clock = CLOCK }: { patience: boolean; clock?: Clock },
): Examiner {
  let isUnreachable = false;
  let hasAnswered = false;
  let left = SCANNING_MS;
  const ask = async (path: string): ReturnType<typeof verdictOn> => {
    if (left <= 0) return 'away';
    const signal = clock.after(left);
    const begun = clock.now();
    const verdict = await verdictOn(app, path, signal);
    left = signal.aborted ? 0 : left - (clock.now() - begun);
    hasAnswered ||= verdict !== 'away';
    return verdict;
  };
  const clean = new Set<string>();
  const isClean = (sha256: string) => clean.has(sha256) || wasClean(app.scanner, sha256);
  const scanned = async (sha256: string, path: string): Promise<Withheld | null> => {
    if (isClean(sha256)) return null;
    // A scanner that is silent takes its whole time-out, which a mail has only once.
    const verdict = isUnreachable ? 'away' : await ask(path);
    if (typeof verdict === 'object') {
      if (verdict.clean) {
        clean.add(sha256);
        return null;
      }
      app.log.warn({ sha256, name: verdict.name }, 'an attachment with malware was withheld');
      return 'malware';
    }
    isUnreachable = verdict === 'away';
    const isCutShort = isUnreachable && hasAnswered && left <= 0;
    if (app.scanner === null || !(app.scanner.required || isCutShort)) return null;
    if (!isUnreachable || !patience) return 'unscanned';
    for (const known of clean) noteClean(app.scanner, known);
    return refuseUnscanned();
  };
  const unblocked = new Set<string>();
  const isBlocked = async (sha256: string): Promise<boolean> =>
    !unblocked.has(sha256) && (await anyBlockedHash(app.db.read, [sha256]));
  return {
    expect: async (files) => {
      if (files.length === 0) return;
      const hashes = [...new Set(files.map(hashOf))];
      if (await anyBlockedHash(app.db.read, hashes)) return;
      for (const hash of hashes) unblocked.add(hash);
    },
    staged: async ({ sha256, path }) => ((await isBlocked(sha256)) ? 'blocked' : scanned(sha256, path)),
    bytes: async (bytes) => {
      if (bytes.length === 0) return null;
      const sha256 = hashOf(bytes);
      if (await isBlocked(sha256)) return 'blocked';
      if (app.scanner === null || isClean(sha256)) return null;
      const blob = await app.storage.blobs.stage(Readable.from([bytes]), { maxBytes: bytes.length });
      try {
        return await scanned(sha256, blob.path);
      } finally {
        await blob.discard();
      }
    },
  };
}

/** The SHA-256 of some bytes, as blocked hashes and blobs have it. */
export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function wasClean(scanner: Scanner | null, sha256: string): boolean {
  const at = scanner === null ? undefined : cleanBefore.get(scanner)?.get(sha256);
  return at !== undefined && performance.now() - at < CLEAN_MS;
}

function noteClean(scanner: Scanner, sha256: string): void {
  const known = cleanBefore.get(scanner) ?? new Map<string, number>();
  cleanBefore.set(scanner, known);
  known.delete(sha256);
  known.set(sha256, performance.now());
  const [oldest] = known.keys();
  if (known.size > MAX_CLEAN && oldest !== undefined) known.delete(oldest);
}
