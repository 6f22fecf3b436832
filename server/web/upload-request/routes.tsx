import { DomainError, fail } from '../../../routers/base/errors.js';
import { allowReceiving } from '../../../routers/features/request/receive.js';
import { requestOwnerPath, requestPath, withQuery } from '../address.js';
import { offeredCollections } from '../collection/offered.js';
import { type FormState, untouched } from '../components/form/form.js';
import { notifyIn } from '../edit/notify.js';
import { askPassword } from '../gate/password-routes.js';
import { pageNumber } from '../listing.js';
import type { SentFile } from '../records.js';
import { again, orShowAgain } from '../refusal.js';
import {
  getPage,
  goTo,
  orNull,
  type PageAnswer,
  type PageRequest,
  page,
  postFile,
  postForm,
} from '../request.js';
import { ownRecipient } from '../sealed/sealed-choice.js';
import { requireViewer } from '../viewer.js';
import { ApprovalPage } from './approval-page.js';
import { RequestGuestPage } from './guest-page.js';
import { RequestsPage } from './list-page.js';
import { RequestOwnerPage } from './owner-page.js';
import { RequestProofPage } from './proof-page.js';
import { WallPage } from './wall-page.js';

/** Request links: the page on which guests send files, and the owner's pages. */
export const requestPages = [
  getPage('/request/{id}', showGuest),
  postFile(
    '/request/{id}',
    again(guest, receive),
    (ctx, wire) =>
      allowReceiving(ctx, {
        uniqueId: wire.params.id ?? '',
        password: null,
        ticket: wire.query.text('ticket'),
      }),
    'request.receive',
  ),
  postForm('/request/{id}/unlock', unlock),
  postForm('/request/{id}/take-back', takeBack),
  getPage('/request/{id}/wall', showWall),
  getPage('/requests', async (request) => page(await mine(request))),
  postForm('/requests', again(mine, create)),
  getPage('/requests/{id}', async (request) => page(await owner(request))),
  postForm('/requests/{id}', again(owner, change)),
  getPage('/requests/{id}/approval', async (request) => page(await approval(request))),
  postForm('/requests/{id}/approval', approve),
];

const shownBy = ({ params, query }: PageRequest) => ({
  uniqueId: params.id ?? '',
  ticket: query.text('ticket') ?? null,
});

/** The page for guests; of a locked request the question for its password. */
async function guest(request: PageRequest, state: FormState = untouched, sent: readonly SentFile[] = []) {
  const shown = shownBy(request);
  const opened = await request.call.request.open(shown);
  const action = withQuery(requestPath(opened.uniqueId), { ticket: shown.ticket });
  return (
    <RequestGuestPage
      site={request.site}
      request={opened}
      action={action}
      ticket={shown.ticket}
      state={state}
      sent={sent}
    />
  );
}

async function showGuest(request: PageRequest): Promise<PageAnswer> {
  const shown = shownBy(request);
  const { requiresPassword, requiresChallenge, uniqueId } = await request.call.request.open(shown);
  if (requiresChallenge && shown.ticket === null) return page(await askProof(request), 403);
  if (requiresPassword && shown.ticket === null)
    return page(askPassword(request, 'request', `${requestPath(uniqueId)}/unlock`), 403);
  return page(await guest(request));
}

/** The page on which a guest solves a challenge, and gives the password if there is one. */
async function askProof(request: PageRequest, state?: FormState) {
  const { call, site } = request;
  const { uniqueId } = shownBy(request);
  const [opened, task] = await Promise.all([call.request.open({ uniqueId }), call.order.challenge()]);
  return (
    <RequestProofPage
      site={site}
      request={opened}
      action={`${requestPath(uniqueId)}/unlock`}
      task={task}
      state={state}
    />
  );
}

async function unlock(request: PageRequest): Promise<PageAnswer> {
  const { body, call, site } = request;
  const { uniqueId } = shownBy(request);
  return orShowAgain(
    request,
    async () => {
      const { ticket } = await call.request.unlock({
        uniqueId,
        password: body.text('password'),
        token: body.text('token'),
      });
      return goTo(withQuery(requestPath(uniqueId), { ticket }));
    },
    async (state) =>
      site.viewer === null && site.challengeFor.includes('requests')
        ? askProof(request, state)
        : askPassword(request, 'request', `${requestPath(uniqueId)}/unlock`, state),
  );
}

/** Receives one file of a form sent without scripts, and shows the receipt. */
async function receive(request: PageRequest): Promise<PageAnswer> {
  const { call, body, file } = request;
  const { received, remaining, remainingBytes } = await call.request.receive({
    ...shownBy(request),
    file: file ?? fail('FILE_MISSING'),
    name: body.text('name'),
  });
  if (remaining === 0 || remainingBytes === 0) {
    const action = withQuery(requestPath(request.params.id ?? ''), { ticket: shownBy(request).ticket });
    return page(
      <RequestGuestPage site={request.site} request={null} action={action} ticket={null} sent={received} />,
    );
  }
  return page(await guest(request, untouched, received));
}

/** Deletes what a guest has just sent. */
async function takeBack(request: PageRequest): Promise<PageAnswer> {
  const { uniqueId, ticket } = shownBy(request);
  await request.call.request.takeBack({ uniqueId, receipt: request.body.string('receipt') });
  return goTo(withQuery(requestPath(uniqueId), { ticket, done: 'deleted' }));
}

/** The most entries of a wall on its page. */
const WALL_SIZE = 60;

async function showWall(request: PageRequest): Promise<PageAnswer> {
  const { uniqueId, ticket } = shownBy(request);
  const wall = await request.call.request
    .wall({ uniqueId, ticket, page: 0, size: WALL_SIZE })
    .catch((error: unknown) => {
      if (error instanceof DomainError && error.reason === 'PASSWORD_REQUIRED') return null;
      throw error;
    });
  return wall === null
    ? page(askPassword(request, 'request', `${requestPath(uniqueId)}/unlock`), 403)
    : page(<WallPage site={request.site} wall={wall} request={uniqueId} ticket={ticket} />);
}

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
  const asked = { uniqueId, page: pageNumber(request.query), size: 25 };
  const [record, received] = await Promise.all([
    request.call.request.get({ uniqueId }),
    request.call.request.received(asked),
  ]);
  const list = {
    items: received.content,
    total: received.totalElements,
    page: asked.page,
    pageSize: asked.size,
  };
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

async function change(request: PageRequest): Promise<PageAnswer> {
  const { call, body, params } = request;
  const uniqueId = params.id ?? '';
  const action = body.text('action');
  if (action === 'delete') {
    await call.request.delete({ uniqueId });
    return goTo('/web/requests?done=deleted');
  }
  if (action === 'close' || action === 'reopen')
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
