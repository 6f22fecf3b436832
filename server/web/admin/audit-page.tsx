import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { auditChoices, auditWords } from '../../../routers/features/admin/audit-names.js';
import { LinkButton, Submit } from '../components/button.js';
import { Choice } from '../components/list/filter.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Person, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { Paged, UserSummary } from '../records.js';
import { detailWords } from './audit-details.js';

interface AuditRow {
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

/** The page with what an account did and what was done to it. */
const auditOf = (uid: number): string => `/web/admin/audit?uid=${uid}`;

const auditColumns: readonly Column<AuditRow>[] = [
  { head: msg('Event'), cell: ({ event }) => wordsFor(event) },
  { head: msg('By'), cell: (entry) => <Someone user={entry.actor} id={entry.actorId} /> },
  {
    head: msg('Account'),
    cell: (entry) =>
      entry.subjectId === entry.actorId ? null : <Someone user={entry.subject} id={entry.subjectId} />,
  },
  {
    head: msg('Details'),
    cell: ({ details }) => detailWords(details),
  },
  { head: msg('IP address'), kind: 'short', cell: (entry) => entry.ipAddress ?? '—' },
  { head: msg('Time'), cell: (entry) => <Time at={entry.at} /> },
];

const wordsFor = (event: string) => {
  const words = auditWords(event);
  return words === null ? <code>{event}</code> : translateMessage(words);
};

/** Which entries are shown; empty for all. */
interface AuditFilter {
  readonly event: string;
  readonly uid: string;
}

/** Every security-relevant event, newest first. */
export function AuditPage({
  site,
  list,
  filter,
}: PageProps<{ readonly list: Paged<AuditRow>; readonly filter: AuditFilter }>) {
  const { event, uid } = filter;
  return (
    <ListPage
      site={site}
      path="/web/admin/audit"
      title={t('Audit log')}
      width="wide"
      list={list}
      filter={{ event, uid }}
      empty={{ icon: 'shield', title: t('No events') }}
      caption={t('Events')}
      columns={auditColumns}
      rowKey={(entry) => entry.id}
      above={
        <search>
          <form class="inline" method="get" action="/web/admin/audit">
            {uid !== '' && <input type="hidden" name="uid" value={uid} />}
            <Choice
              name="event"
              label={t('Event')}
              value={event}
              options={[
                ['', t('All events')],
                ...auditChoices().map(([name, words]) => [name, translateMessage(words)] as const),
              ]}
            />
            <Submit look="plain">{t('Show')}</Submit>
            {(uid !== '' || event !== '') && (
              <LinkButton href="/web/admin/audit" look="quiet">
                {t('Everything')}
              </LinkButton>
            )}
          </form>
        </search>
      }
    />
  );
}

function Someone({ user, id }: { readonly user: UserSummary | null; readonly id: number | null }) {
  if (user !== null)
    return (
      <a href={auditOf(user.uid)}>
        <Person user={user} />
      </a>
    );
  return <>{id === null ? null : t('Deleted account {id}', { id })}</>;
}
