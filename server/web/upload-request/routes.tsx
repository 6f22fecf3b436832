import { fail, unlessRemoved } from '../../../routers/base/errors.js';
import { requestOwnerPath } from '../address.js';
import { offeredCollections } from '../collection/offered.js';
import type { FormState } from '../components/form/form.js';
import { thumbnailOf } from '../components/item/media.js';
import { notifyIn } from '../edit/notify.js';
import { FILES_ON_PAGE, pageNumber } from '../listing.js';
import { again } from '../refusal.js';
import { getPage, goTo, orNull, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { ownRecipient } from '../sealed/sealed-choice.js';
import { requireViewer } from '../viewer.js';
import { ApprovalPage } from './approval-page.js';
import { RequestsPage } from './list-page.js';
import { type ReceivedEntry, type ReceivedFile, RequestOwnerPage } from './owner-page.js';

/** The request links of a user, and what came in by them. */
export const requestPages = [
  getPage('/requests', async (request) => page(await mine(request))),
  postForm('/requests', again(mine, create)),
  getPage('/requests/{id}', async (request) => page(await owner(request))),
  postForm('/requests/{id}', again(owner, change)),
  getPage('/requests/{id}/approval', async (request) => page(await approval(request))),
  postForm('/requests/{id}/approval', approve),
];

async function mine(request: PageRequest, state?: FormState) {
  requireViewer(request);
  const asked = { page: pageNumber(request.query), size: 25 };
  const { content, totalElements } = await request.call.request.mine(asked);
  const list = { items: content, total: totalElements, page: asked.page, pageSize: asked.size };
  const collections = await offeredCollections(request, '');
  const recipient = await ownRecipient(request);
  return <RequestsPage site={request.site} {...{ list, collections, recipient, state }} />;
}

const MIB = 1024 * 1024;

const fieldsOf = ({ body }: PageRequest) => ({
  title: body.string('title'),
  note: body.text('note'),
  maxFiles: body.number('maxFiles') ?? null,
  maxBytes: ((mib) => (mib === undefined ? null : Math.round(mib * MIB)))(body.number('maxMiB')),
  types: body.list('types') ?? [],
  expiresAt: orNull(body.string('expiresAt')),
  collection: orNull(body.string('collection')),
  askName: body.boolean('askName') === true,
  notify: notifyIn(body) ?? null,
  blind: body.boolean('seen') !== true,
  wall: body.text('wall'),
  message: orNull(body.string('message')),
  ends: orNull(body.string('ends')),
  ...(body.string('password') === '' ? {} : { password: body.string('password') }),
  ...(body.boolean('unlocked') === true ? { password: null } : {}),
});

async function create(request: PageRequest): Promise<PageAnswer> {
  const recipient = request.body.boolean('sealed') === true ? await ownRecipient(request) : null;
  const { uniqueId } = await request.call.request.create({ ...fieldsOf(request), recipient });
  return goTo(`${requestOwnerPath(uniqueId)}?done=saved`);
}

/** What came in by a request, and its fields; for the owner only. */
async function owner(request: PageRequest, state?: FormState) {
  requireViewer(request);
  const uniqueId = request.params.id ?? '';
  const asked = { uniqueId, page: pageNumber(request.query), size: FILES_ON_PAGE };
  const [record, received] = await Promise.all([
    request.call.request.get({ uniqueId }),
    request.call.request.received(asked),
  ]);
  const items = await Promise.all(received.content.map((file) => withPicture(request, file)));
  const list = { items, total: received.totalElements, page: asked.page, pageSize: asked.size };
  const collections = await offeredCollections(request, record.collection ?? '');
  return (
    <RequestOwnerPage
      site={request.site}
      request={record}
      list={list}
      collections={collections}
      state={state}
    />
  );
}

/** A file that came in, with the address of its picture; without its ID if it is gone. */
async function withPicture({ call }: PageRequest, file: ReceivedFile): Promise<ReceivedEntry> {
  const { uniqueId } = file;
  const image = uniqueId === null ? null : await unlessRemoved(call.image.info({ uniqueId }));
  return { ...file, uniqueId: image && uniqueId, picture: image && thumbnailOf(image) };
}

async function change(request: PageRequest): Promise<PageAnswer> {
  const { call, body, params } = request;
  const uniqueId = params.id ?? '';
  const action = body.text('action');
  if (action === 'delete') {
    await call.request.delete({ uniqueId });
    return goTo('/web/requests?done=deleted');
  }
  if (action === 'show' || action === 'hide')
    await call.request.approve({ uniqueId, fileId: body.string('fileId'), approved: action === 'show' });
  else if (action === 'close' || action === 'reopen')
    await call.request.change({ uniqueId, closed: action === 'close' });
  else if (action === 'save') await call.request.change({ uniqueId, ...fieldsOf(request) });
  else fail('INVALID');
  return goTo(`${requestOwnerPath(uniqueId)}?done=saved`);
}

/** The next file that waits to be shown on the wall; for the owner only. */
async function approval(request: PageRequest) {
  requireViewer(request);
  const uniqueId = request.params.id ?? '';
  const [record, { content, totalElements }] = await Promise.all([
    request.call.request.get({ uniqueId }),
    request.call.request.received({ uniqueId, waiting: true, page: 0, size: 1 }),
  ]);
  const next = content[0] ?? null;
  const file = next?.uniqueId ? await request.call.image.info({ uniqueId: next.uniqueId }) : null;
  return (
    <ApprovalPage
      site={request.site}
      request={record}
      next={next}
      isPicture={file?.mimeType.startsWith('image/') === true}
      waiting={totalElements}
    />
  );
}

async function approve(request: PageRequest): Promise<PageAnswer> {
  const { call, body, params } = request;
  const uniqueId = params.id ?? '';
  await call.request.approve({
    uniqueId,
    fileId: body.string('fileId'),
    approved: body.boolean('approved') === true,
  });
  return goTo(`${requestOwnerPath(uniqueId)}/approval`);
}
