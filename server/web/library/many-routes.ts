import { KINDS, type Kind } from '../../../routers/base/kinds.js';
import { collectionEditorPath, withQuery } from '../address.js';
import { KIND_WORDS } from '../kinds.js';
import { goTo, type PageAnswer, type PageRequest, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { allUntil } from './all.js';
import { changeMany, chosenIn } from './many.js';

/** Actions for several items of the viewer's lists at once. */
export const manyPages = KINDS.map((kind) => {
  const [list] = KIND_WORDS[kind].list;
  return postForm(list.replace(/^\/web/, ''), (request) => changeItems(request, kind, list));
});

/** Adds what the collection does not have yet. */
async function addTo({ call }: PageRequest, uniqueId: string, chosen: readonly string[]): Promise<void> {
  const { items } = await call.collection.get({ uniqueId });
  const known = new Set(items.map((item) => item.uniqueId));
  const added = chosen.filter((id) => !known.has(id)).map((id) => ({ uniqueId: id }));
  await call.collection.addItems({ uniqueId, items: added });
}

async function changeItems(request: PageRequest, kind: Kind, path: string): Promise<PageAnswer> {
  requireViewer(request);
  const { body, query } = request;
  const chosen = await chosenIn(request, kind);
  const list = `${path}${allUntil(request) === null ? request.search : withoutPage(request.search)}`;
  if (chosen.length === 0) return goTo(withQuery(list, { done: 'nothing' }));
  if (body.text('action') !== 'add') return changeMany(request, kind, chosen, list);
  await addTo(request, body.string('collection'), chosen);
  return (query.text('into') ?? '') === ''
    ? goTo(withQuery(list, { done: 'saved' }))
    : goTo(`${collectionEditorPath(body.string('collection'))}?done=saved`);
}

/** A query of a list as that of its first page. */
function withoutPage(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('page');
  return query.size === 0 ? '' : `?${query}`;
}
