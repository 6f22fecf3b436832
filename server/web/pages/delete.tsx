import { fail } from '../../../routers/errors.js';
import { type PageAnswer, type PageRequest, page, show, take } from '../request.js';
import { DeletedPage, DeletePage } from '../views/doors.js';

type Kind = 'image' | 'paste' | 'url';

/** The deletion of an item, by its owner or by whoever has the secret link of its creation. */
export const deletePages = [show('/delete/{kind}/{id}', ask), take('/delete/{kind}/{id}', remove)];

async function ask({ site, call, params, query }: PageRequest): Promise<PageAnswer> {
  const kind = kindOf(params.kind);
  const id = params.id ?? '';
  const token = query.text('token');
  if (token !== undefined) await call.library.deleteByLink({ kind, uniqueId: id, token, peek: true });
  else if (site.viewer === null) fail('UNAUTHENTICATED');
  const path = `/web/delete/${kind}/${encodeURIComponent(id)}`;
  const action = token === undefined ? path : `${path}?token=${encodeURIComponent(token)}`;
  return page(
    <DeletePage
      site={site}
      kind={kind}
      name={id}
      action={action}
      back={`/web/${kind}-render/${encodeURIComponent(id)}`}
    />,
  );
}

async function remove({ site, call, params, query }: PageRequest): Promise<PageAnswer> {
  const kind = kindOf(params.kind);
  const uniqueId = params.id ?? '';
  const token = query.text('token');
  if (token === undefined) await call[kind].delete({ uniqueId });
  else await call.library.deleteByLink({ kind, uniqueId, token });
  return page(<DeletedPage site={site} kind={kind} />);
}

function kindOf(text: string | undefined): Kind {
  return text === 'image' || text === 'paste' || text === 'url' ? text : fail('NOT_FOUND');
}
