import { DomainError, fail } from '../../../routers/base/errors.js';
import { allowReceiving } from '../../../routers/features/request/receive.js';
import { requestPath, withQuery } from '../address.js';
import { type FormState, untouched } from '../components/form/form.js';
import { askPassword } from '../gate/password-routes.js';
import type { SentFile } from '../records.js';
import { again, orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postFile, postForm } from '../request.js';
import { RequestGuestPage } from './guest-page.js';
import { RequestProofPage } from './proof-page.js';
import { WallPage } from './wall-page.js';

/** The page on which guests send files, and the wall that shows them. */
export const requestGuestPages = [
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
