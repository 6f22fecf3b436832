import { fail } from '../../../routers/base/errors.js';
import { afterDeletion, collectionEditorPath, entryAnchor, listPath, SHARED_WITH_ME } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { pageNumber, pageWith, partAsked } from '../listing.js';
import { orShowAgain } from '../refusal.js';
import {
  getPage,
  goTo,
  moved,
  orNull,
  type PageAnswer,
  type PageRequest,
  page,
  postForm,
} from '../request.js';
import { refuseUnsealed } from '../sealed/sealed-choice.js';
import { requireViewer } from '../viewer.js';
import { CollectionEditPage } from './editor-page.js';
import { CollectionsPage } from './list-page.js';
import { SharedWithMePage } from './shared-page.js';

/** Collections: the owner's pages. */
export const collectionPages = [
  // Where playlists had pages of their own.
  getPage('/playlists', async ({ search }) => moved('/web/collections', search)),
  getPage('/playlists/{id}', async ({ params, search }) =>
    moved(collectionEditorPath(params.id ?? ''), search),
  ),
  getPage('/collections', async (request) => page(await mine(request))),
  postForm('/collections', create),
  getPage('/collections/{id}', async (request) => page(await editor(request))),
  postForm('/collections/{id}', change),
  getPage('/shared-with-me', async (request) => page(await shared(request))),
  postForm('/shared-with-me', decide),
];

async function shared(request: PageRequest) {
  requireViewer(request);
  const { call, query, site } = request;
  const asked = { page: pageNumber(query), size: 24 };
  const { content, totalElements } = await call.collection.sharedWithMe(asked);
  const list = { items: content, total: totalElements, page: asked.page, pageSize: asked.size };
  return <SharedWithMePage site={site} list={list} />;
}

/** Takes or declines what is offered, or leaves what is shared. */
async function decide(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  const { username } = requireViewer(request);
  const uniqueId = body.string('id');
  switch (body.text('action')) {
    case 'accept':
      await call.collection.accept({ uniqueId });
      return goTo(`${collectionEditorPath(uniqueId)}?done=saved`);
    case 'decline':
      await call.collection.endOffer({ uniqueId });
      break;
    case 'leave':
      await call.collection.removeMember({ uniqueId, username });
      break;
    default:
      fail('INVALID');
  }
  return goTo(`${SHARED_WITH_ME}?done=saved`);
}

async function mine(request: PageRequest, state?: FormState) {
  requireViewer(request);
  const asked = { page: pageNumber(request.query), size: 24 };
  const favourite = request.query.boolean('favourite') === true;
  const { content, totalElements } = await request.call.collection.mine({
    ...asked,
    favourite,
    pictured: true,
  });
  const list = { items: content, total: totalElements, page: asked.page, pageSize: asked.size };
  return <CollectionsPage site={request.site} list={list} favourite={favourite} state={state} />;
}

async function create(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  return orShowAgain(
    request,
    async () => {
      refuseUnsealed(body);
      const { uniqueId } = await call.collection.create({
        title: body.string('title'),
        description: body.text('description'),
        isPublic: body.boolean('private') !== true,
        // Those that were just uploaded together.
        items: body.every('ids').flatMap((id) => (typeof id === 'string' ? [{ uniqueId: id }] : [])),
      });
      return goTo(`${collectionEditorPath(uniqueId)}?done=saved`);
    },
    (state) => mine(request, state),
  );
}

/** The editor is for the owner and members; others get the same error as for any change. */
async function editor(request: PageRequest, state?: FormState) {
  requireViewer(request);
  const uniqueId = request.params.id ?? '';
  const collection = await request.call.collection.get({ uniqueId, part: partAsked(request.query) });
  const { content: members } = await request.call.collection.members({ uniqueId, size: 100 });
  const { trashDays } = request.ctx.app.settings;
  return (
    <CollectionEditPage
      site={request.site}
      collection={collection}
      members={members}
      page={pageNumber(request.query)}
      trashDays={trashDays}
      state={state}
    />
  );
}

async function change(request: PageRequest): Promise<PageAnswer> {
  const { params, body } = request;
  const uniqueId = params.id ?? '';
  return orShowAgain(
    request,
    async () => {
      if (body.text('action') === 'delete') {
        await request.call.collection.delete({ uniqueId });
        const { trashDays } = request.ctx.app.settings;
        return goTo(afterDeletion('/web/collections', trashDays, [`collection/${uniqueId}`]));
      }
      const position = await act(request, uniqueId);
      const id = body.string('id').trim();
      const action = body.string('action');
      // Keeps the position in a long list; of what was removed, the neighbour has it.
      const beside = action === 'remove' ? body.string('beside') : id;
      const stays = ['up', 'down', 'cover', 'remove'].includes(action) && beside !== '';
      const at = typeof position === 'number' ? pageWith(position) : pageNumber(request.query);
      const back = listPath(collectionEditorPath(uniqueId), { done: 'saved', page: at });
      return goTo(`${back}${stays ? `#${entryAnchor(beside)}` : ''}`);
    },
    (state) => editor(request, state),
  );
}

/** Does what the pressed button of the editor says; the new position of a file that it moves. */
async function act({ call, body }: PageRequest, uniqueId: string): Promise<unknown> {
  const id = body.string('id').trim();
  switch (body.text('action')) {
    case 'words':
      return call.collection.change({
        uniqueId,
        title: body.string('title'),
        description: body.text('description'),
        tags: body.list('tags') ?? [],
        isPublic: body.boolean('private') !== true,
        expiresAt: orNull(body.string('expiresAt')),
        maxViews: body.number('maxViews') ?? null,
        ...(body.boolean('unlocked') === true ? { password: null } : {}),
        ...(body.string('password') === '' ? {} : { password: body.string('password') }),
      });
    case 'texts':
      return call.collection.change({
        uniqueId,
        title: body.string('title'),
        description: body.text('description'),
        tags: body.list('tags') ?? [],
      });
    case 'member':
      return call.collection.setMember({
        uniqueId,
        username: body.string('username'),
        role: body.string('role') as 'viewer',
      });
    case 'unmember':
      return call.collection.removeMember({ uniqueId, username: body.string('username') });
    case 'offer':
      return call.collection.offer({ uniqueId, username: body.string('username') });
    case 'unoffer':
      return call.collection.endOffer({ uniqueId });
    case 'add':
      return call.collection.addItems({
        uniqueId,
        items: [{ uniqueId: id, path: orNull(body.string('path')) }],
      });
    case 'remove':
      return call.collection.takeItem({ uniqueId, fileId: id });
    case 'cover':
      return call.collection.change({ uniqueId, cover: id });
    case 'up':
      return move({ call }, uniqueId, id, (from) => from - 1);
    case 'down':
      return move({ call }, uniqueId, id, (from) => from + 1);
    case 'top':
      return move({ call }, uniqueId, id, () => 0);
    case 'place':
      return move({ call }, uniqueId, id, () => body.number('to') ?? -1);
    default:
      return fail('INVALID');
  }
}

/** Moves a file to another position, and returns it; if there is no such position it stays, and that is null. */
async function move(
  { call }: Pick<PageRequest, 'call'>,
  uniqueId: string,
  id: string,
  placeOf: (from: number) => number,
): Promise<number | null> {
  const { items } = await call.collection.get({ uniqueId });
  const order = items.map((item) => item.uniqueId);
  const from = order.indexOf(id);
  const to = placeOf(from);
  if (from < 0 || !Number.isInteger(to) || to < 0 || to >= order.length) return null;
  order.splice(to, 0, ...order.splice(from, 1));
  await call.collection.putItems({ uniqueId, items: order.map((each) => ({ uniqueId: each })) });
  return to;
}
