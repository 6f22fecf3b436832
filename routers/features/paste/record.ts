import { z } from 'zod';
import type { Paste } from '../../../db/content/paste.js';
import { filesOf } from '../../../db/content/paste-files.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { accountOf } from '../../core/accounts/people.js';
import { summarise, userSummary } from '../../core/accounts/user-summary.js';
import type { Services } from '../../core/context.js';
import { cacheable } from '../../core/items/cacheable.js';
import { urlSet, urlSetOf } from '../../core/items/links.js';
import { revisionFields, revisionOf } from '../../core/items/revision.js';
import { sealRecord, sealShown } from '../../core/items/seal.js';
import { filesRecord } from './files.js';

/** A paste in the API (contract §3). `content` is empty in lists without texts. */
export const pasteRecord = z.object({
  uniqueId: z.string(),
  title: z.string(),
  content: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  urlSet,
  uploader: userSummary,
  requiresPassword: z.boolean(),
  isPublic: z.boolean(),
  language: z.string().nullable(),
  files: filesRecord,
  burn: z.boolean(),
  ...sealRecord,
  /** How often it was opened, for its owner and administrators. */
  views: z.int().nullable(),
  /** Why only its owner and moderators can see it; null for other items. */
  quarantine: z.string().nullable(),
  /** The paste that it was made from, if that is still there; only its owner sees one that is not open. */
  forkedFrom: z.string().nullable(),
  ...revisionFields,
});
export type PasteRecord = z.output<typeof pasteRecord>;

/** Records of pastes, cached as long as their row objects. */
const lasting = new WeakMap<Paste, PasteRecord>();

/**
 * The record for readers. Row objects are reused only until the next commit (docs/adr/0007), so the record is
 * cached with its row, and what is derived from it with the record. Shadowed pastes are not cached, because their URL
 * changes over time.
 */
export async function readerRecord(app: Services, paste: Paste): Promise<PasteRecord> {
  const known = lasting.get(paste);
  if (known !== undefined) return known;
  const record = await toPasteRecord(app, paste);
  if (!paste.shadowed) lasting.set(paste, cacheable(record));
  return record;
}

/** Builds the record; `creator` adds the deletion link, `own` what only its owner sees, `counted` its views. */
export async function toPasteRecord(
  app: Services,
  paste: Paste,
  options: { readonly creator?: boolean; readonly own?: boolean; readonly counted?: boolean } = {},
): Promise<PasteRecord> {
  const owner = await accountOf(app, paste.ownerId);
  const own = options.own === true || options.creator === true;
  const files = filesOf(paste);
  return {
    uniqueId: paste.uniqueId,
    title: paste.title ?? paste.uniqueId,
    content: files?.[0]?.text ?? paste.content,
    createdAt: iso(paste.createdAt),
    expiresAt: isoOrNull(paste.expiresAt),
    urlSet: await urlSetOf(app, 'paste', paste, owner, {
      creator: options.creator === true,
      burn: paste.burn,
    }),
    uploader: await summarise(app, owner),
    requiresPassword: paste.passwordHash !== null,
    isPublic: paste.isPublic,
    language: paste.language,
    files,
    burn: paste.burn,
    views: own || options.counted === true ? paste.opened : null,
    quarantine: paste.quarantine,
    forkedFrom: await sourceOf(app, paste, own),
    ...sealShown(paste.seal),
    ...(await revisionOf(app, 'paste', paste, own)),
  };
}

async function sourceOf(app: Services, { forkedFromId }: Paste, own: boolean): Promise<string | null> {
  const source = forkedFromId === null ? null : await app.load.forkSource(forkedFromId);
  return source !== null && (own || source.open) ? source.uniqueId : null;
}
