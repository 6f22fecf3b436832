import type { Kind } from '../../../db/content/kinds.js';
import { fail } from '../../../routers/errors.js';
import { deletePath, itemPath, withQuery } from '../address.js';
import { reasonOf } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { administers } from '../site.js';
import { DeletedPage, DeletePage } from './gates.js';

/** Where a signed-in user continues: the list of their remaining items. */
const lists: Readonly<Record<Kind, string>> = {
  image: '/web/library',
  paste: '/web/pastes',
  url: '/web/links',
};

/** Deletes an item, for its owner or anyone with the secret link from its creation. */
export const deletePages = [getPage('/delete/{kind}/{id}', ask), postForm('/delete/{kind}/{id}', remove)];

async function ask(request: PageRequest): Promise<PageAnswer> {
  const { kind, uniqueId, token, name } = await itemOf(request);
  return page(
    <DeletePage
      site={request.site}
      kind={kind}
      name={name}
      action={withQuery(deletePath(kind, uniqueId), { token })}
      back={itemPath(kind, uniqueId)}
    />,
  );
}

async function remove(request: PageRequest): Promise<PageAnswer> {
  const { site, call } = request;
  const { kind, uniqueId, token, own } = await itemOf(request);
  if (token === null) await call[kind].delete({ uniqueId });
  else await call.library.deleteByLink({ kind, uniqueId, token });
  if (site.viewer === null) return page(<DeletedPage site={site} kind={kind} />);
  // Administrators return to the list of other users' items.
  if (!own && administers(site.viewer)) return goTo(`/web/admin/content?kind=${kind}&done=deleted`);
  return goTo(`${lists[kind]}?done=deleted`);
}

/** The item to delete; 403 if it belongs to somebody else, because signing in would not help. */
async function itemOf({ site, call, params, query }: PageRequest) {
  const kind = kindOf(params.kind);
  const uniqueId = params.id ?? '';
  const token = query.text('token') ?? null;
  try {
    return { kind, uniqueId, token, ...(await call.library.deletable({ kind, uniqueId, token })) };
  } catch (error) {
    if (reasonOf(error) === 'NOT_OWNER' && site.viewer !== null) fail('FORBIDDEN');
    throw error;
  }
}

function kindOf(text: string | undefined): Kind {
  return text === 'image' || text === 'paste' || text === 'url' ? text : fail('NOT_FOUND');
}
