import { lookupId } from '../../db/content.js';
import { countPlaylistView, type Playlist, playlistByKey } from '../../db/playlist.js';
import { isPrivileged } from '../access.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';

/** The playlist with this identifier in any case; 404 otherwise. */
export const findPlaylist = async (ctx: Context, identifier: string): Promise<Playlist> =>
  found(await playlistByKey(ctx.app.db.read, lookupId(identifier)));

/** As `findPlaylist`, counting a view of everybody but its owner and moderators. */
export async function viewPlaylist(ctx: Context, identifier: string, head: boolean): Promise<Playlist> {
  const playlist = await findPlaylist(ctx, identifier);
  if (head || (await isPrivileged(ctx, playlist))) return playlist;
  if (!(await ctx.app.db.write((trx) => countPlaylistView(trx, playlist.id)))) fail('NOT_FOUND');
  return { ...playlist, views: playlist.views + 1 };
}
