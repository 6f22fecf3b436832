import { fail } from '../../../routers/base/errors.js';
import { isKind, type Kind } from '../../../routers/base/kinds.js';
import { safeNext } from '../../../routers/base/local-path.js';
import { allowUpload } from '../../../routers/features/image/allowance.js';
import { collectionEditorPath, itemPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { ITEM_PAGES, type Marks } from '../items.js';
import { orShowAgain, reasonOf } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postFile, postForm } from '../request.js';
import { administers } from '../site.js';
import { requireViewer } from '../viewer.js';
import { EditPage } from './edit-page.js';
import { commonFields, pageIdOf } from './editing.js';
import { notifyIn } from './notify.js';

/** The edit pages of every kind, for owners. */
export const editPages = [
  getPage('/edit/{kind}/{id}', async (request) => page(await view(request))),
  postForm('/edit/{kind}/{id}', save, 'text'),
  postForm('/favourite/{kind}/{id}', (request) =>
    mark(request, { favourite: request.body.boolean('favourite') === true }),
  ),
  postForm('/notify/{kind}/{id}', (request) =>
    mark(request, { notify: notifyIn(request.body) ?? fail('INVALID') }),
  ),
  postFile('/edit/{kind}/{id}/file', replace, allowUpload, 'image.replace'),
];

const itemIn = ({ params }: PageRequest): { kind: Kind; uniqueId: string } => ({
  kind: isKind(params.kind) ? params.kind : fail('NOT_FOUND'),
  uniqueId: params.id ?? '',
});

/** Changes what something of the viewer is to them, and shows it again, or the list that names itself. */
async function mark({ call, params, body }: PageRequest, marks: Marks): Promise<PageAnswer> {
  const { kind, id: uniqueId = '' } = params;
  if (kind === 'collection') {
    await call.collection.change({ uniqueId, ...marks });
    return goTo(backIn(body) ?? collectionEditorPath(uniqueId));
  }
  if (!isKind(kind)) fail('NOT_FOUND');
  await ITEM_PAGES[kind].mark(call, uniqueId, marks);
  return goTo(backIn(body) ?? itemPath(kind, uniqueId));
}

/** The path of a list on this site, if a form has one. */
function backIn(body: PageRequest['body']): string | null {
  const path = safeNext(body.text('back'));
  return path.startsWith('/web/') ? path : null;
}

/** The form with what is saved now. */
async function view(request: PageRequest, state?: FormState, conflict = false) {
  requireViewer(request);
  const { site, call } = request;
  const { kind, uniqueId } = itemIn(request);
  const { edit } = ITEM_PAGES[kind];
  const item = await edit.open(call, uniqueId);
  // Only the owner's record has them.
  if (item.record.aliases === undefined) fail('NOT_OWNER');
  return (
    <EditPage
      site={site}
      kind={kind}
      item={item}
      choosesId={!edit.idsByAdministrators || administers(site.viewer)}
      replaces={edit.hasFile}
      conflict={conflict}
      state={state}
    />
  );
}

async function save(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  const { kind, uniqueId } = itemIn(request);
  let conflict = false;
  return orShowAgain(
    request,
    async () => {
      try {
        const typed = body.typed();
        const changed = await ITEM_PAGES[kind].edit.change(call, uniqueId, commonFields(typed), typed);
        return goTo(`${itemPath(kind, pageIdOf(changed))}?done=saved`);
      } catch (error) {
        conflict = reasonOf(error) === 'PRECONDITION_FAILED';
        throw error;
      }
    },
    (state) => view(request, state, conflict),
  );
}

async function replace(request: PageRequest): Promise<PageAnswer> {
  const { call, file } = request;
  const { kind, uniqueId } = itemIn(request);
  if (!ITEM_PAGES[kind].edit.hasFile) fail('NOT_FOUND');
  return orShowAgain(
    request,
    async () => {
      if (file === null) fail('FILE_MISSING', 'Choose a file');
      const changed = await call.image.replace({ uniqueId, file });
      return goTo(`${itemPath(kind, changed.uniqueId)}?done=saved`);
    },
    (state) => view(request, state),
  );
}
