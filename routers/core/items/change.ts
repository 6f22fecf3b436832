import { MAX_ALIASES } from '../../../db/content/alias.js';
import type { Content, ContentRow } from '../../../db/content/content.js';
import {
  type Changes,
  type LockedRow,
  lockContent,
  realChanges,
  renamed,
  requireFree,
  setTags,
  writeRevision,
} from '../../../db/content/content-edit.js';
import { forgetTold, type Notify } from '../../../db/content/told/told.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail, found } from '../../base/errors.js';
import type { EventOf, Kind } from '../../base/kinds.js';
import { localizable } from '../../base/language/localizable.js';
import { audit } from '../audit.js';
import type { AccountContext, Services } from '../context.js';
import { entryRulesOf } from '../entry/entry-rules.js';
import { emit } from '../webhook/emit.js';
import type { EventItem } from '../webhook/events.js';
import { takeCreations } from './creation-rate.js';
import { hashItemPassword } from './item-password.js';
import { checkEnd } from './lifetime.js';
import { requireRevision } from './revision.js';

/** The fields that can be changed in items of every kind; undefined stays as it is. */
interface CommonChange {
  readonly uniqueId?: string | null | undefined;
  readonly private?: boolean | null | undefined;
  readonly password?: string | null | undefined;
  readonly expiresAt?: number | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly ifMatch?: string | null | undefined;
  readonly favourite?: boolean | null | undefined;
  readonly notify?: Notify | undefined;
}

/** How items of a kind are changed. */
interface Changing<R extends ContentRow, T extends Content> {
  readonly kind: Kind;
  /** Bytes of a long text that it has after the change, all of whose words are made findable again. */
  readonly textBytes?: number;
  readonly event: EventOf<Kind>;
  readonly fromRow: (row: R) => T;
  readonly eventItem: (app: Services, item: T) => EventItem;
  /**
   * The columns of the kind that change, decided while the row is locked. Refuses what may not change. `before` and
   * `after` run around the statement that writes the row.
   */
  readonly own: (row: LockedRow<R>) => Changes<R>;
  readonly after?: (trx: Queryable, before: LockedRow<R>, now: LockedRow<R>) => Promise<unknown>;
  readonly before?: (
    trx: Queryable,
    row: LockedRow<R>,
    columns: Readonly<Record<string, unknown>>,
  ) => Promise<unknown>;
}

/**
 * Changes an item of the caller, durably before it returns: its fields, its id (the former one stays an alias) and its
 * tags, as one revision. 412 if `ifMatch` names another revision; what changes nothing makes none.
 */
export async function changeItem<R extends ContentRow, T extends Content>(
  ctx: AccountContext,
  item: Content,
  change: CommonChange,
  how: Changing<R, T>,
): Promise<T> {
  const { app, account } = ctx;
  await takeCreations(app, account.id, { bytes: how.textBytes ?? 0 });
  const password =
    change.password === undefined ? undefined : await hashItemPassword(app, item.ownerId, change.password);
  const { row, localizable } = await refusingTaken(app, () =>
    app.db.write((trx) => applyChange(ctx, trx, item, { ...change, password }, how)),
  );
  if (localizable) app.jobs.kick();
  return how.fromRow(row);
}

/** As `changeItem`, in its transaction; `password` is the hash of the new one. */
export async function applyChange<R extends ContentRow, T extends Content>(
  ctx: AccountContext,
  trx: Queryable,
  item: Content,
  change: CommonChange,
  how: Changing<R, T>,
): Promise<{ readonly row: R; readonly localizable: boolean }> {
  const { app } = ctx;
  const { kind } = how;
  const row = found(await lockContent<R>(app.db, trx, kind, item.id));
  requireRevision(kind, how.fromRow(row), change.ifMatch);
  const columns = realChanges<ContentRow>(row, {
    ...how.own(row),
    is_public: typeof change.private === 'boolean' ? !change.private : undefined,
    password_hash: change.password,
    favourite: change.favourite ?? undefined,
    telling: change.notify,
    expires_at:
      change.expiresAt === undefined
        ? undefined
        : checkEnd(await entryRulesOf(app, row.owner_id, trx), row.created_at, change.expiresAt),
  } as Changes<ContentRow>);
  const at = Date.now();
  const named = await renaming(trx, kind, row, change.uniqueId ?? null, at);
  const tagged = change.tags !== undefined && (await setTags(trx, kind, row, change.tags));
  const all = { ...columns, ...named, ...(tagged ? { tagged: (change.tags ?? []).length > 0 } : {}) };
  if (Object.keys(all).length === 0) return { row, localizable: false };
  await how.before?.(trx, row, all);
  const now = await writeRevision<R>(trx, kind, row, all, at);
  await how.after?.(trx, row, now);
  if (now.telling !== row.telling) await forgetTold(trx, kind, row.id);
  if (named !== null) {
    await requireFree(trx, kind, now);
    await audit(ctx, trx, 'item.renamed', { subject: row.owner_id, info: { kind } });
  }
  const localizable = await emit(app, trx, row.owner_id, how.event, how.eventItem(app, how.fromRow(now)));
  return { row: now, localizable };
}

async function renaming(trx: Queryable, kind: Kind, row: ContentRow, uniqueId: string | null, at: number) {
  if (uniqueId === null || uniqueId === row.unique_id) return null;
  const columns = await renamed(trx, kind, row, uniqueId, at, MAX_ALIASES);
  return (
    columns ??
    fail(
      'INVALID',
      localizable('uniqueId: an item keeps at most {max} former ids, so this one cannot change again', {
        max: MAX_ALIASES,
      }),
    )
  );
}

/** Runs a change; an id in use is refused. */
async function refusingTaken<T>({ db }: Pick<Services, 'db'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (db.dialect.isUniqueViolation(error)) fail('ID_TAKEN', { cause: error });
    throw error;
  }
}
