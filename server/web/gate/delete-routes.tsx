import { fail } from '../../../routers/base/errors.js';
import { isKind } from '../../../routers/base/kinds.js';
import { afterDeletion, deletePath, itemPath, withQuery } from '../address.js';
import { ITEM_PAGES } from '../items.js';
import { KIND_WORDS } from '../kinds.js';
import { reasonOf } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { administers } from '../site.js';
import { DeletedPage, DeletePage } from './gate-pages.js';

/** Deletes an item, for its owner or anyone with the secret link from its creation. */
export const deletePages = [getPage('/delete/{kind}/{id}', ask), postForm('/delete/{kind}/{id}', remove)];

async function ask(request: PageRequest): Promise<PageAnswer> {
  const { kind, uniqueId, token, name, own } = await itemOf(request);
  return page(
    <DeletePage
      site={request.site}
      kind={kind}
      name={name}
      picture={own ? await ITEM_PAGES[kind].picture(request.call, uniqueId) : null}
      action={withQuery(deletePath(kind, uniqueId), { token })}
      back={itemPath(kind, uniqueId)}
      kept={own || token !== null ? request.ctx.app.settings.trashDays : 0}
    />,
  );
}

async function remove(request: PageRequest): Promise<PageAnswer> {
  const { site, call } = request;
  const { kind, uniqueId, token, own } = await itemOf(request);
  if (token === null) await ITEM_PAGES[kind].remove(call, uniqueId);
  else await call.library.deleteByLink({ kind, uniqueId, token });
  if (site.viewer === null) return page(<DeletedPage site={site} kind={kind} />);
  // Administrators return to the list of other users' items.
  if (!own && administers(site.viewer)) return goTo(`/web/admin/content?kind=${kind}&done=deleted`);
  const [remaining] = KIND_WORDS[kind].list;
  const { trashDays } = request.ctx.app.settings;
  return goTo(afterDeletion(remaining, own ? trashDays : 0, [`${kind}/${uniqueId}`]));
}

/** The item to delete; 403 if it belongs to somebody else, because signing in would not help. */
async function itemOf({ site, call, params, query }: PageRequest) {
  const kind = isKind(params.kind) ? params.kind : fail('NOT_FOUND');
  const uniqueId = params.id ?? '';
  const token = query.text('token') ?? null;
  try {
    return { kind, uniqueId, token, ...(await call.library.deletable({ kind, uniqueId, token })) };
  } catch (error) {
    if (reasonOf(error) === 'NOT_OWNER' && site.viewer !== null) fail('FORBIDDEN');
    throw error;
  }
}
