import { fail } from '../../../routers/base/errors.js';
import { itemPath } from '../address.js';
import { pageNumber } from '../listing.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { owns } from '../site.js';
import { requireViewer } from '../viewer.js';
import { RevisionsPage } from './revisions-page.js';

/** What a paste was, and making a paste from another. */
export const revisionPages = [
  getPage('/paste-revisions/{id}', showRevisions),
  postForm('/paste-revisions/{id}', restore),
  postForm('/paste-fork/{id}', fork),
];

async function showRevisions(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, params, query } = request;
  const uniqueId = params.id ?? '';
  const list = await call.paste.revisions({ uniqueId, page: pageNumber(query) });
  const shown = query.number('show');
  const isNumber = shown !== undefined && Number.isInteger(shown) && shown > 0;
  const { diff } = isNumber ? await call.paste.diff({ uniqueId, to: shown }) : { diff: null };
  const [first] = list.items;
  return page(
    <RevisionsPage
      site={site}
      uniqueId={uniqueId}
      list={list}
      diff={diff === null || !isNumber ? null : { revision: shown, text: diff }}
      mayRestore={first !== undefined && owns(site.viewer, first.author)}
    />,
  );
}

async function restore({ call, params, body }: PageRequest): Promise<PageAnswer> {
  const revision = body.number('revision') ?? fail('INVALID', 'revision: choose one');
  const { uniqueId } = await call.paste.restore({ uniqueId: params.id ?? '', revision });
  return goTo(`${itemPath('paste', uniqueId)}?done=saved`);
}

async function fork({ call, params, body }: PageRequest): Promise<PageAnswer> {
  const uniqueId = params.id ?? '';
  const made = await call.paste.fork({ uniqueId, password: body.filled('password') });
  return goTo(`/web/edit/paste/${encodeURIComponent(made.uniqueId)}`);
}
