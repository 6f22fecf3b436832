import { msg, msgc, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { collectionPath, itemPath, withQuery } from '../address.js';
import { Submit } from '../components/button.js';
import { optionsOf } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Choice } from '../components/list/filter.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Badge, Person, Time } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { FormPageProps } from '../page-props.js';
import type { Paged, ReportRecord } from '../records.js';
import { nounOf, reasonWords } from './report-page.js';

/** A report with the address of a small picture of what it is about, if there is one. */
export interface ShownReport {
  readonly report: ReportRecord;
  readonly picture: string | null;
  /** The id of the one below it, where a moderator goes on; null for the last. */
  readonly next: number | null;
}

const STATES = [
  ['open', msgc('report', 'Open')],
  ['resolved', msg('Decided')],
  ['all', msg('All')],
] as const;
/** The states by which reports can be filtered. */
export const REPORT_STATES = STATES.map(([state]) => state);

/** What was decided about a report, in words. */
export const OUTCOMES: Readonly<Record<NonNullable<ReportRecord['action']>, Message>> = {
  none: msg('Left as it is'),
  quarantine: msg('Hidden'),
  delete: msg('Deleted'),
  ban: msg('Owner banned, hidden'),
};

/** The anchor of a report in the list. */
export const reportAnchor = (id: number | string): string => `report-${id}`;

function Item({ shown: { report, picture } }: { readonly shown: ShownReport }) {
  const { kind, uniqueId, item } = report;
  const name = item?.name ?? uniqueId;
  return (
    <div class="with-thumb" id={reportAnchor(report.id)}>
      <span class="thumb">
        {picture ? (
          <img src={picture} alt="" loading="lazy" />
        ) : (
          <Icon name={kind === 'collection' ? 'archive' : KIND_WORDS[kind].entry.icon} />
        )}
      </span>
      <div>
        {item === null ? (
          <span dir="auto">{name}</span>
        ) : (
          <a href={kind === 'collection' ? collectionPath(uniqueId) : itemPath(kind, uniqueId)} dir="auto">
            {name}
          </a>
        )}
        <p class="hint">
          {item === null ? t('gone') : translateMessage(nounOf(kind))} <code>{uniqueId}</code>
        </p>
        {item?.sealed && <Badge icon="lock">{t('Sealed: its content cannot be looked at')}</Badge>}
        {item?.quarantine != null && (
          <Badge look="warn" icon="eye">
            {t('Hidden')}
          </Badge>
        )}
      </div>
    </div>
  );
}

function Complaint({ report }: { readonly report: ReportRecord }) {
  return (
    <div>
      <strong dir="auto">{reasonWords(report.reason)}</strong>
      {report.details && <p dir="auto">{report.details}</p>}
      <p class="hint">
        <Time at={report.createdAt} />
        {report.times > 1 && (
          <>
            {' · '}
            {t('{times, plural, one {# time} other {# times}} from one network', { times: report.times })}
          </>
        )}
        {report.reporter && (
          <>
            {' · '}
            {t('by {username}', { username: report.reporter.username })}
          </>
        )}
        {report.email && (
          <>
            {' · '}
            <a href={`mailto:${report.email}`}>{report.email}</a>
          </>
        )}
      </p>
    </div>
  );
}

function Decision({
  shown: { report, next },
  action,
}: {
  readonly shown: ShownReport;
  readonly action: string;
}) {
  const { id, item } = report;
  return (
    <div>
      {report.action !== null && (
        <p>
          <Badge>{translateMessage(OUTCOMES[report.action])}</Badge>{' '}
          <span class="hint">
            {report.resolvedBy?.username} {report.resolvedAt && <Time at={report.resolvedAt} />}
          </span>
          {report.note && <q dir="auto">{report.note}</q>}
        </p>
      )}
      <details class="more">
        <summary>{report.action === null ? t('Decide') : t('Decide again')}</summary>
        <Form action={action}>
          <input type="hidden" name="id" value={String(id)} />
          <input type="hidden" name="next" value={next ?? ''} />
          <Field name="note" label={t('Reason, which the owner sees')} maxLength={500} />
          <div class="actions">
            <Submit look="plain" icon="check" name="action" value="none">
              {item?.quarantine == null ? t('Leave it') : t('Show it again')}
            </Submit>
            {item !== null && (
              <>
                <Submit look="plain" icon="eye" name="action" value="quarantine">
                  {t('Hide it')}
                </Submit>
                <Submit look="danger" icon="trash" name="action" value="delete">
                  {t('Delete it')}
                </Submit>
              </>
            )}
            <Submit look="danger" icon="lock" name="action" value="ban">
              {t('Ban its owner')}
            </Submit>
          </div>
        </Form>
      </details>
    </div>
  );
}

const columnsOf = (action: string): readonly Column<ShownReport>[] => [
  { head: msg('Item'), cell: (shown) => <Item shown={shown} /> },
  { head: msg('Report'), cell: ({ report }) => <Complaint report={report} /> },
  { head: msg('Owner'), kind: 'short', cell: ({ report }) => report.owner && <Person user={report.owner} /> },
  {
    head: msg('Decision'),
    kind: 'opens',
    cell: (shown) => <Decision shown={shown} action={action} />,
  },
];

/** The reports that moderators decide about, newest first. */
export function ReportsPage({
  site,
  list,
  status,
  state = untouched,
}: FormPageProps<{ readonly list: Paged<ShownReport>; readonly status: (typeof REPORT_STATES)[number] }>) {
  const path = '/web/moderation';
  return (
    <ListPage
      site={site}
      path={path}
      title={t('Reports')}
      lead={state.problem ?? t('{total, plural, one {# report} other {# reports}}', { total: list.total })}
      width="wide"
      list={list}
      filter={{ status }}
      actions={
        <form class="inline" method="get" action={path}>
          <Choice name="status" label={t('Which')} value={status} options={optionsOf(STATES)} />
          <Submit look="plain">{t('Show')}</Submit>
        </form>
      }
      empty={{ icon: 'check', title: t('Nothing to decide') }}
      columns={columnsOf(withQuery(path, { status }))}
      rowKey={({ report }) => report.id}
    />
  );
}
