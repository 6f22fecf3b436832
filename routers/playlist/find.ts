import { lookupId } from '../../db/content/content.js';
import { countPlaylistView, type Playlist, playlistByKey } from '../../db/content/playlist.js';
import { isPrivileged } from '../access.js';
import type { Context, Services } from '../context.js';
import { fail, found } from '../errors.js';
import { outageOf } from '../shared/outage.js';
import { within } from '../text/within.js';

/** The playlist with this identifier in any case; 404 otherwise. */
export const findPlaylist = async (ctx: Context, identifier: string): Promise<Playlist> =>
  found(await playlistByKey(ctx.app.db.read, lookupId(identifier)));

/** Counts a view of the playlist and returns it; views of its owner and moderators do not count. */
export async function viewPlaylist(ctx: Context, playlist: Playlist): Promise<Playlist> {
  if (await isPrivileged(ctx, playlist)) return playlist;
  await countView(ctx.app, playlist.id);
  return { ...playlist, views: playlist.views + 1 };
}

/** How long a request waits for its view to be counted, in milliseconds. No limit depends on the count. */
const PATIENCE_MS = 1_000;

/** Counts a view. If the database is not writable, that is only logged, so that the playlist can still be viewed. */
async function countView(app: Services, id: number): Promise<void> {
  const counting = app.db
    .write((trx) => countPlaylistView(trx, id))
    .then((there) => there || fail('NOT_FOUND'))
    .catch((error: unknown) => {
      if (outageOf(error) === null) throw error;
      app.log.warn({ err: error }, 'the view of a playlist could not be counted');
    });
  await within(PATIENCE_MS, counting);
}
