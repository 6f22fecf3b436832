import { msg, t } from '../../../routers/base/language/i18n.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Person, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { Paged, UserSummary } from '../records.js';

/** An entry of the audit log. */
export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly event: string;
  readonly actor: UserSummary | null;
  readonly subject: UserSummary | null;
  /** User IDs, which are kept when the account is deleted. */
  readonly actorId: number | null;
  readonly subjectId: number | null;
  readonly ipAddress: string | null;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

const auditColumns: readonly Column<AuditRow>[] = [
  { head: msg('Time'), cell: (entry) => <Time at={entry.at} /> },
  { head: msg('Event'), kind: 'short', cell: (entry) => <code>{entry.event}</code> },
  { head: msg('By'), cell: (entry) => <Someone user={entry.actor} id={entry.actorId} /> },
  { head: msg('Account'), cell: (entry) => <Someone user={entry.subject} id={entry.subjectId} /> },
  {
    head: msg('Details'),
    cell: (entry) =>
      Object.entries(entry.details)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
  },
  { head: msg('IP address'), kind: 'short', cell: (entry) => entry.ipAddress ?? '—' },
];

/** Every security-relevant event, newest first. */
export function AuditPage({ site, list }: PageProps<{ readonly list: Paged<AuditRow> }>) {
  return (
    <ListPage
      site={site}
      path="/web/admin/audit"
      title={t('Audit log')}
      width="wide"
      list={list}
      empty={{ icon: 'shield', title: t('No events yet') }}
      caption={t('Events')}
      columns={auditColumns}
      rowKey={(entry) => entry.id}
    />
  );
}

function Someone({ user, id }: { readonly user: UserSummary | null; readonly id: number | null }) {
  if (user !== null) return <Person user={user} />;
  return <>{id === null ? '—' : t('Deleted account {id}', { id })}</>;
}
