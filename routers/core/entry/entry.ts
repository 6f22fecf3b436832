import { createHash } from 'node:crypto';
import type { Queryable } from '../../../db/engine/queryable.js';
import { anyBlockedHash } from '../../../db/system/block.js';
import { addressDigits } from '../../base/cidr.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { ScannerUnreachable, ScannerUnsure, type Verdict } from '../../base/ports/scanner.js';
import { acceptsType, typesToName } from '../../base/text/media-types.js';
import type { Context, Services } from '../context.js';
import { entryRulesOf } from './entry-rules.js';

/** Refuses with 400 a file of a type that is not accepted from this account; the type is that of its content. */
export async function requireAcceptedType(app: Services, ownerId: number, mimeType: string): Promise<void> {
  const { types } = await entryRulesOf(app, ownerId);
  if (acceptsType(types, mimeType)) return;
  fail(
    'UNSUPPORTED',
    localizable('Files of the type {type} are not accepted here (accepted: {accepted})', {
      type: mimeType,
      accepted: typesToName(types) ?? '',
    }),
  );
}

/** Refuses with 400 bytes that an administrator has blocked; in the transaction that keeps them. */
export async function requireUnblockedHashes(db: Queryable, hashes: readonly string[]): Promise<void> {
  if (await anyBlockedHash(db, [...new Set(hashes)])) fail('CONTENT_BLOCKED');
}

/** The hash of a text, as that of the file with it. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Refuses with 403 what a blocked network would create. */
export async function requireUnblockedNetwork({ app, address }: Context): Promise<void> {
  const digits = addressDigits(address);
  if (digits !== null && (await app.load.blockedAddress(digits)) !== null) fail('NETWORK_BLOCKED');
}

/** What the scanner says of a file: clean without a scanner; `away` if it may know later, `unsure` if it never will. */
export async function verdictOn(
  { scanner, log }: Pick<Services, 'scanner' | 'log'>,
  path: string,
  signal?: AbortSignal,
): Promise<Verdict | 'away' | 'unsure'> {
  if (scanner === null) return { clean: true };
  try {
    return await scanner.scan(path, signal);
  } catch (error) {
    if (!(error instanceof ScannerUnreachable)) throw error;
    log.warn({ err: error }, 'a file could not be scanned');
    return error instanceof ScannerUnsure ? 'unsure' : 'away';
  }
}

/** Refuses with 503 a file that must be scanned while nobody can. */
export const refuseUnscanned = (): never =>
  fail('UNAVAILABLE', {
    message: 'Files cannot be checked for malware at the moment, try again later',
    retryAfter: 30,
  });

/** Refuses with 400 a file in which the scanner finds malware, and, if it must be seen, with 503 one that nobody could look at. */
export async function requireClean(app: Services, path: string): Promise<void> {
  const verdict = await verdictOn(app, path);
  if (typeof verdict === 'string') {
    if (app.scanner?.required === true) refuseUnscanned();
    return;
  }
  if (!verdict.clean)
    fail('UNSUPPORTED', localizable('The file contains malware ({name})', { name: verdict.name }));
}

/** Refuses with 507 to store more while too little space is left. */
export async function requireSpace({ storage }: Pick<Services, 'storage'>): Promise<void> {
  if (!(await storage.hasSpace())) fail('STORAGE_FULL');
}
