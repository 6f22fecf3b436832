import { fail, unlessRemoved } from '../../../routers/base/errors.js';
import { isOwnedKind, type OwnedKind } from '../../../routers/base/kinds.js';
import { safeNext } from '../../../routers/base/local-path.js';
import { withQuery } from '../address.js';
import { pageNumber } from '../listing.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { EmptyTrashPage, TRASH, TrashPage } from './trash-page.js';

/** The trash of the viewer, and the form of every "Undo". */
export const trashPages = [getPage('/trash', showTrash), postForm('/trash', change)];

async function showTrash(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, ctx, query } = request;
  const { bytes, ...list } = await call.trash.list({ page: pageNumber(query) });
  return page(<TrashPage site={site} list={list} bytes={bytes} days={ctx.app.settings.trashDays} />);
}

/** Items that one form can name. */
const MAX_CHOSEN = 100;

/** The items that a form names, as `kind/id`. */
function chosenIn({ body }: PageRequest): { kind: OwnedKind; uniqueId: string }[] {
  const chosen = body.every('ids').flatMap((text) => (typeof text === 'string' ? text.split(',') : []));
  return chosen.slice(0, MAX_CHOSEN).flatMap((text) => {
    const [kind, uniqueId = ''] = text.split('/');
    return isOwnedKind(kind) ? [{ kind, uniqueId }] : [];
  });
}

async function change(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, body } = request;
  const action = body.text('action');
  if (action === 'empty') {
    if (body.text('confirmed') !== 'true') return page(<EmptyTrashPage site={site} />);
    await call.trash.empty();
    return goTo(`${TRASH}?done=deleted`);
  }
  const back = body.text('next') === undefined ? TRASH : safeNext(body.string('next'));
  if (action === 'restore') {
    // A second click finds them restored.
    for (const item of chosenIn(request)) await unlessRemoved(call.trash.restore(item));
    return goTo(withQuery(back, { done: 'restored' }));
  }
  if (action !== 'remove') fail('INVALID');
  for (const item of chosenIn(request)) await unlessRemoved(call.trash.remove(item));
  return goTo(`${TRASH}?done=deleted`);
}
