import { collectionByKey, setCollectionQuarantine } from '../../../db/content/collection/collection.js';
import { collectionAnywhere } from '../../../db/content/collection/collection-trash.js';
import { lookupId } from '../../../db/content/content.js';
import { setQuarantine } from '../../../db/content/content-change.js';
import type { ReportKind } from '../../../db/content/report.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { unlessRemoved } from '../../base/errors.js';
import { KINDS } from '../../base/kinds.js';
import type { Services } from '../../core/context.js';
import { discardCollection } from '../collection/public.js';

export type { ReportKind } from '../../../db/content/report.js';

/** What can be reported: items of every kind, and collections, which playlists and packs are, too. */
export const REPORT_KINDS = [...KINDS, 'collection'] as const satisfies readonly ReportKind[];

/** Whether there is a kind of this name that can be reported. */
export const isReportKind = (text: string | undefined): text is ReportKind =>
  REPORT_KINDS.some((kind) => kind === text);

/** What is known of something that can be reported. */
export interface Reportable {
  readonly id: number;
  readonly uniqueId: string;
  readonly ownerId: number;
  readonly quarantine: string | null;
  readonly isPublic: boolean;
  /** Not null for what is sealed: nobody can look at its content. */
  readonly seal?: string | null;
}

/** What has this id now; null for nothing. */
export const reportable = async (
  app: Services,
  kind: ReportKind,
  uniqueId: string,
): Promise<Reportable | null> =>
  kind === 'collection' ? collectionByKey(app.db.read, lookupId(uniqueId)) : app.load[kind](uniqueId);

/** What people know it by; null if it has no name. */
export async function nameOfReportable(
  app: Services,
  kind: ReportKind,
  uniqueId: string,
): Promise<string | null> {
  if (kind === 'collection') return (await collectionByKey(app.db.read, lookupId(uniqueId)))?.title ?? null;
  return (await unlessRemoved(app.items[kind].nameOf(app, uniqueId))) ?? null;
}

/** Deletes it, unless it is gone. The files of a collection stay, except for those of a pack, which only it opens. */
export async function removeReportable(app: Services, kind: ReportKind, id: number): Promise<void> {
  if (kind !== 'collection') {
    await unlessRemoved(app.items[kind].remove(app, { id }));
    return;
  }
  const collection = await collectionAnywhere(app.db.read, id);
  if (collection !== null)
    await unlessRemoved(discardCollection(app, collection, { by: null, permanent: true }));
}

/** Keeps it from everybody but its owner and moderators, for this reason; null shows it again. */
export async function quarantineReportable(
  app: Services,
  trx: Queryable,
  { kind, id }: { readonly kind: ReportKind; readonly id: number },
  reason: string | null,
): Promise<void> {
  if (kind === 'collection') return setCollectionQuarantine(trx, id, reason);
  await setQuarantine(trx, kind, id, reason);
  if (reason === null) await app.items[kind].released(app, trx, id);
}
