import { collectionByKey } from '../../../db/content/collection/collection.js';
import { lookupId } from '../../../db/content/content.js';
import type { Context } from '../../core/context.js';
import { type Entered, enterCollection, inForm } from '../collection/public.js';
import { PLAYLIST } from './change.js';

/** A playlist and the password given for it. */
export interface LockedPlaylist {
  readonly identifier: string;
  readonly password?: string | null | undefined;
}

/** Lets a caller in to the playlist with this identifier in any case; 404 if there is none. */
export const enterPlaylist = async (
  ctx: Context,
  { identifier, password = null }: LockedPlaylist,
): Promise<Entered> =>
  enterCollection(ctx, inForm(PLAYLIST, await collectionByKey(ctx.app.db.read, lookupId(identifier))), {
    password,
  });
