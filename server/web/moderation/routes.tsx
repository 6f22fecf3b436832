import { fail, unlessRemoved } from '../../../routers/base/errors.js';
import { isReportKind } from '../../../routers/features/moderation/reportable.js';
import type { FormState } from '../components/form/form.js';
import { ITEM_PAGES } from '../items.js';
import { choiceOf, paged, pageNumber } from '../listing.js';
import type { ReportRecord } from '../records.js';
import { again, orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { BlocksPage } from './blocks-page.js';
import { ReportedPage, ReportPage } from './report-page.js';
import { REPORT_STATES, ReportsPage, reportAnchor, type ShownReport } from './reports-page.js';

const PAGE_SIZE = 25;

/** Reports by anybody, the queue of moderators, and what administrators block. */
export const moderationPages = [
  getPage('/report/{kind}/{id}', async (request) => page(await report(request))),
  postForm('/report/{kind}/{id}', again(report, sendReport)),
  getPage('/moderation', async (request) => page(await showReports(request))),
  postForm('/moderation', again(showReports, decide)),
  getPage('/admin/blocks', async (request) => page(await showBlocks(request))),
  postForm('/admin/blocks', changeBlocks),
];

/** What a report is about, as its address names it. It is not looked up: the page tells nothing of it. */
function reportedBy({ params }: PageRequest) {
  return { kind: isReportKind(params.kind) ? params.kind : fail('NOT_FOUND'), uniqueId: params.id ?? '' };
}

/** The challenge of a visitor without an account, where the operator wants one. */
async function taskFor({ site, call }: PageRequest) {
  return site.viewer === null && site.challengeFor.includes('reports') ? call.order.challenge() : null;
}

async function report(request: PageRequest, state?: FormState) {
  const task = await taskFor(request);
  return <ReportPage site={request.site} {...reportedBy(request)} task={task} state={state} />;
}

async function sendReport(request: PageRequest): Promise<PageAnswer> {
  const { call, body, site } = request;
  await call.order.report({
    ...reportedBy(request),
    reason: body.string('reason'),
    details: body.text('details'),
    email: body.text('email'),
    token: body.text('token'),
  });
  return page(<ReportedPage site={site} />);
}

const statusOf = ({ query }: PageRequest) => choiceOf(query, 'status', REPORT_STATES, 'open');

async function showReports(request: PageRequest, state?: FormState) {
  const { call, query, site } = request;
  const status = statusOf(request);
  const list = paged(await call.order.reports({ page: pageNumber(query), size: PAGE_SIZE, status }));
  const items = await Promise.all(
    list.items.map((report, index) => withPicture(request, report, list.items[index + 1]?.id ?? null)),
  );
  return <ReportsPage site={site} list={{ ...list, items }} status={status} state={state} />;
}

async function withPicture(
  { call }: PageRequest,
  report: ReportRecord,
  next: number | null,
): Promise<ShownReport> {
  const { kind, uniqueId, item } = report;
  return {
    report,
    next,
    picture: item === null || kind === 'collection' ? null : await ITEM_PAGES[kind].picture(call, uniqueId),
  };
}

async function decide(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  await call.order.resolve({
    id: body.number('id') ?? 0,
    action: body.string('action'),
    note: body.text('note'),
  });
  const next = body.number('next');
  const place = next === undefined ? '' : `#${reportAnchor(next)}`;
  return goTo(`/web/moderation?status=${statusOf(request)}&done=saved${place}`);
}

async function showBlocks({ call, query, site }: PageRequest, state?: FormState) {
  const list = await call.order.blocks({ page: pageNumber(query), size: PAGE_SIZE });
  return <BlocksPage site={site} list={paged(list)} state={state} />;
}

async function changeBlocks(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  if (body.string('action') === 'end') {
    // After a second click, or one by somebody else, it is already gone, as wanted.
    await unlessRemoved(call.order.unblock({ id: body.number('id') }));
    return goTo('/web/admin/blocks?done=deleted');
  }
  return orShowAgain(
    request,
    async () => {
      await call.order.block({
        kind: body.string('kind'),
        value: body.string('value'),
        note: body.text('note'),
      });
      return goTo('/web/admin/blocks?done=saved');
    },
    (state) => showBlocks(request, state),
  );
}
