import { msg, t, tc } from '../../../routers/base/language/i18n.js';
import { readUserAgent } from '../../../routers/features/stats/user-agent.js';
import { deletePath, itemPath, listPath, visitsPath, withQuery } from '../address.js';
import { Agent } from '../components/agent.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Pager } from '../components/list/pager.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Figure, Time } from '../components/parts.js';
import { count, countryName, moment } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, ShortUrlRecord, VisitLog } from '../records.js';
import { DaysCard, VisitorsCard } from '../visits/cards.js';
import { rangeQuery } from '../visits/range.js';
import type { VisitStatistics } from '../visits/statistics.js';
import { shownId, uses } from './uses.js';

const logColumns: readonly Column<VisitLog>[] = [
  { head: msg('Time'), kind: 'short', cell: (visit) => <Time at={visit.time} /> },
  { head: msg('Visitor'), cell: (visit) => <Visitor visit={visit} /> },
  { head: msg('Country'), cell: ({ country }) => (country === null ? '—' : countryName(country)) },
  { head: msg('IP address'), kind: 'short', cell: (visit) => visit.ipAddress ?? '—' },
];

/** One link and its visits. */
export function LinkVisitsPage({
  site,
  link,
  statistics,
  log,
}: PageProps<{
  readonly link: ShortUrlRecord;
  readonly statistics: VisitStatistics;
  /** Newest first. */
  readonly log: Paged<VisitLog>;
}>) {
  const { range, people, bots } = statistics;
  const path = visitsPath(link.fullId);
  return (
    <Page site={site} title={t('Visits to {uniqueId}', { uniqueId: shownId(link) })}>
      <Heading title={shownId(link)} lead={link.originalUrl}>
        <CopyButton text={link.urlSet.shortUrl}>{t('Copy')}</CopyButton>
        <LinkButton href={itemPath('url', link.fullId)} icon="external">
          {t('Link page')}
        </LinkButton>
        <LinkButton href={deletePath('url', link.fullId)} look="danger" icon="trash">
          {t('Delete')}
        </LinkButton>
      </Heading>
      <div class="figures">
        <Figure label={t('Total visits')} value={uses(link)} />
        <Figure label={t('People')} value={count(people)} />
        <Figure label={t('By bots in these days')} value={count(bots)} />
        <Figure label={t('Expires')} value={link.expiresAt ? moment(link.expiresAt) : t('Never')} />
      </div>
      <DaysCard title={t('Visits')} path={path} statistics={statistics} />
      <VisitorsCard statistics={statistics} />
      <Card title={t('Latest visits')}>
        {log.items.length === 0 ? (
          <p class="hint">{t('No visits yet.')}</p>
        ) : (
          <>
            <Table
              caption={t('Latest visits')}
              columns={logColumns}
              rows={log.items}
              rowKey={(visit) => `${visit.time}${visit.ipAddress}`}
            />
            <Pager list={log} href={(page) => listPath(path, { ...rangeQuery(range), page })} />
            <p class="actions">
              <LinkButton href={exportPath(link.fullId, 'csv')} icon="download">
                {t('All visits as CSV')}
              </LinkButton>
              <LinkButton href={exportPath(link.fullId, 'json')} icon="download">
                {t('As JSON')}
              </LinkButton>
            </p>
          </>
        )}
      </Card>
    </Page>
  );
}

const exportPath = (uniqueId: string, format: 'csv' | 'json'): string =>
  withQuery(`/v1/url/get/${encodeURIComponent(uniqueId)}/logs/export`, { format });

/** A visitor in words; what its program calls itself on demand. */
function Visitor({ visit: { userAgent } }: { readonly visit: VisitLog }) {
  return (
    <Agent userAgent={userAgent}>
      {readUserAgent(userAgent).bot ? (
        <Badge>{t('Bot')}</Badge>
      ) : (
        <Badge look="good">{tc('visitor', 'Person')}</Badge>
      )}
    </Agent>
  );
}
