import { rowIdIn } from '../../../rest-adapter/wire.js';
import { auditChoices } from '../../../routers/features/admin/audit-names.js';
import { fileSize } from '../format.js';
import { choiceOf, paged, pageNumber } from '../listing.js';
import { getPage, goTo, page, postForm } from '../request.js';
import type { Site } from '../site.js';
import { AuditPage } from './audit-page.js';
import { type Queue, QueuesPage } from './queues-page.js';
import { type Part, SystemPage } from './system-page.js';

/** How e-mail is sent, and whether that works. */
function mailOf({ mailThrough, i18n }: Site, jobs: readonly Queue[]): Part {
  const name = i18n.t('Mail');
  if (mailThrough === null)
    return {
      name,
      ok: true,
      but: i18n.t('not sent'),
      detail: i18n.t('Only written to files in the outbox folder of DATA_DIR; set MAIL_TRANSPORT to send it'),
    };
  const ok = jobs.every(({ kind, failed }) => kind !== 'mail' || failed === 0);
  return { name, ok, detail: i18n.t('Sent through {mailThrough}', { mailThrough }) };
}

/** The part of a disk that must be free. */
const ENOUGH = 0.05;

/** The room on the disk of DATA_DIR; nothing where the platform does not tell. */
function diskOf({ i18n }: Site, free: number, total: number): Part[] {
  if (total === 0) return [];
  return [
    {
      name: i18n.t('Disk'),
      ok: true,
      ...(free < total * ENOUGH ? { but: i18n.t('nearly full') } : {}),
      detail: i18n.t('{free} of {total} free', { free: fileSize(free), total: fileSize(total) }),
    },
  ];
}

/** Pages about the state of the installation, for administrators. */
export const operationsPages = [
  getPage('/admin/queues', async ({ site, call }) => {
    const { jobs, reading } = await call.admin.metrics();
    return page(<QueuesPage site={site} queues={jobs} reading={reading} />);
  }),
  postForm('/admin/queues', async ({ call, body }) => {
    await call.admin.retryJobs({ kind: body.string('kind') });
    return goTo('/web/admin/queues?done=retried');
  }),
  getPage('/admin/audit', async ({ site, call, query }) => {
    const events = auditChoices().map(([event]) => event);
    const event = choiceOf(query, 'event', ['', ...events], '');
    const uid = /^\d+$/.exec(query.text('uid') ?? '')?.[0] ?? '';
    const list = await call.admin.auditLog({
      page: pageNumber(query),
      event: event === '' ? null : event,
      uid: uid === '' ? null : rowIdIn(uid),
    });
    return page(<AuditPage site={site} list={paged(list)} filter={{ event, uid }} />);
  }),
  getPage('/admin/system', async ({ site, call }) => {
    const [metrics, status] = await Promise.all([call.admin.metrics(), call.site.status()]);
    const parts = [
      {
        name: site.i18n.t('Database'),
        ok: status.database === 'ok',
        detail: site.i18n.t('Responds to queries'),
      },
      {
        name: site.i18n.t('Storage'),
        ok: status.storage === 'ok',
        detail: site.i18n.t('Can be written and read'),
      },
      ...diskOf(site, metrics['disk.free'], metrics['disk.total']),
      {
        name: site.i18n.t('Queues'),
        ok: metrics.jobs.every(({ failed }) => failed === 0),
        detail: site.i18n.t('{waiting, plural, one {# job is waiting} other {# jobs are waiting}}', {
          waiting: metrics.jobs.reduce((sum, { waiting }) => sum + waiting, 0),
        }),
      },
      mailOf(site, metrics.jobs),
    ];
    return page(<SystemPage site={site} health={{ ...metrics, parts }} />);
  }),
];
