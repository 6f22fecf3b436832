import { fail } from '../../../routers/base/errors.js';
import { afterDeletion, editorPath, entryAnchor, listPath, playlistPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { pageNumber, pageWith, partAsked } from '../listing.js';
import { playlistPreview } from '../preview.js';
import type { PlaylistRecord } from '../records.js';
import { orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { manages, owns } from '../site.js';
import { requireViewer } from '../viewer.js';
import { PlaylistEditPage } from './editor-page.js';
import { PlaylistPage } from './playlist-page.js';
import { PlaylistsPage } from './playlists-page.js';

/** Playlists: the public pages and the owner's editor. */
export const playlistPages = [
  getPage('/playlist/{id}', (request) => showPlaylist(request, request.params.id ?? '')),
  getPage('/playlists', async (request) => page(await mine(request))),
  postForm('/playlists', create),
  getPage('/playlists/{id}', async (request) => page(await editor(request))),
  postForm('/playlists/{id}', change),
];

/** The public page of a playlist. */
export async function showPlaylist(
  { site, call, method, query }: PageRequest,
  identifier: string,
): Promise<PageAnswer> {
  const part = partAsked(query);
  const playlist = await call.playlist.get({
    identifier,
    head: method === 'HEAD',
    part,
    ticket: query.text('ticket') ?? null,
  });
  const archive = `/v1/image/playlist/get/${encodeURIComponent(playlist.uniqueId)}/download`;
  const whole = manages(site.viewer, playlist.owner);
  // Locked items have no size, and items with counted views are only downloaded one by one.
  const holdsAny = playlist.images.some(
    ({ size, maxViews }) => size !== null && (whole || maxViews === null),
  );
  return page(
    <PlaylistPage
      site={site}
      playlist={playlist}
      list={listOf(playlist, part)}
      meta={playlistPreview(playlist, site.origin + playlistPath(playlist.uniqueId), site)}
      archiveUrl={holdsAny ? archive : null}
      mayEdit={owns(site.viewer, playlist.owner)}
    />,
  );
}

/** The items of a playlist on a page. */
const listOf = ({ images, total }: PlaylistRecord, { page, size }: ReturnType<typeof partAsked>) => ({
  items: images,
  total: total ?? images.length,
  page,
  pageSize: size,
});

async function mine(request: PageRequest, state?: FormState) {
  requireViewer(request);
  const { playlists, total } = await request.call.playlist.mine({
    page: pageNumber(request.query),
    pageSize: PAGE_SIZE,
  });
  const list = { items: playlists, total, page: pageNumber(request.query), pageSize: PAGE_SIZE };
  return <PlaylistsPage site={request.site} list={list} state={state} />;
}
const PAGE_SIZE = 24;

async function create(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  return orShowAgain(
    request,
    async () => {
      const { uniqueId } = await call.playlist.create({
        title: body.text('title'),
        description: body.text('description'),
        // Those that were just uploaded together.
        imagesUids: body.every('ids').filter((id) => typeof id === 'string'),
      });
      return goTo(editorPath(uniqueId));
    },
    (state) => mine(request, state),
  );
}

/** The editor is only for the owner; others get the same error as for any change. */
async function editor(request: PageRequest, state?: FormState) {
  const viewer = requireViewer(request);
  const part = partAsked(request.query);
  const identifier = request.params.id ?? '';
  const playlist = await request.call.playlist.get({ identifier, head: true, part });
  if (viewer.uid !== playlist.owner.uid) fail('FORBIDDEN');
  const { trashDays } = request.ctx.app.settings;
  return (
    <PlaylistEditPage
      site={request.site}
      playlist={playlist}
      list={listOf(playlist, part)}
      trashDays={trashDays}
      state={state}
    />
  );
}

async function change(request: PageRequest): Promise<PageAnswer> {
  const { call, params, body, query } = request;
  const identifier = params.id ?? '';
  return orShowAgain(
    request,
    async () => {
      const action = body.text('action');
      if (action === 'delete') {
        await call.playlist.delete({ identifier });
        const { trashDays } = request.ctx.app.settings;
        return goTo(afterDeletion('/web/playlists', trashDays, [`collection/${identifier}`]));
      }
      const imageUid = body.string('id').trim();
      let page = pageNumber(query);
      const moveTo = async (placeOf: (from: number) => number) => {
        const position = await move(call, identifier, imageUid, placeOf);
        if (position !== null) page = pageWith(position);
      };
      if (action === 'words')
        await call.playlist.change({
          identifier,
          title: body.text('title'),
          description: body.text('description'),
        });
      else if (action === 'add') await call.playlist.putImages({ identifier, imagesUids: [imageUid] });
      else if (action === 'remove') await call.playlist.takeImage({ identifier, imageUid });
      else if (action === 'cover') await call.playlist.change({ identifier, cover: imageUid });
      else if (action === 'up') await moveTo((from) => from - 1);
      else if (action === 'down') await moveTo((from) => from + 1);
      else if (action === 'top') await moveTo(() => 0);
      else if (action === 'place') await moveTo(() => body.number('to') ?? -1);
      else fail('INVALID');
      // Keeps the position in a long list; of what was removed, the neighbour has it.
      const beside = action === 'remove' ? body.string('beside') : imageUid;
      const stays = ['up', 'down', 'cover', 'remove'].includes(action ?? '') && beside !== '';
      const place = stays ? `#${entryAnchor(beside)}` : '';
      return goTo(`${listPath(editorPath(identifier), { done: 'saved', page })}${place}`);
    },
    (state) => editor(request, state),
  );
}

/** Moves an item to another position, and returns it; if there is no such position it stays, and that is null. */
async function move(
  call: PageRequest['call'],
  identifier: string,
  imageUid: string,
  placeOf: (from: number) => number,
): Promise<number | null> {
  const { images }: PlaylistRecord = await call.playlist.get({ identifier, head: true });
  const order = images.map(({ uniqueId }) => uniqueId);
  const from = order.indexOf(imageUid);
  const to = placeOf(from);
  if (from < 0 || !Number.isInteger(to) || to < 0 || to >= order.length) return null;
  order.splice(to, 0, ...order.splice(from, 1));
  await call.playlist.order({ identifier, imagesUids: order });
  return to;
}
