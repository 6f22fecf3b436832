import { readUserAgent } from '../../../routers/stats/user-agent.js';
import { deletePath, itemPath } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Bars, type Point, Shares } from '../components/chart.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Figure, Time } from '../components/parts.js';
import { count, moment, plural } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { ShortUrlRecord, VisitLog } from '../records.js';
import { uses } from './uses.js';

/** The visit statistics of a link. */
export interface VisitStatistics {
  /** Per UTC day, ascending. */
  readonly days: readonly Point[];
  readonly referrers: readonly Point[];
  readonly browsers: readonly Point[];
  readonly systems: readonly Point[];
  /** Visits by bots in these days, including link previews. They count like any other visit. */
  readonly bots: number;
}

const logColumns: readonly Column<VisitLog>[] = [
  { head: 'Time', cell: (visit) => <Time at={visit.time} /> },
  { head: 'IP address', kind: 'short', cell: (visit) => visit.ipAddress ?? '—' },
  { head: 'User agent', cell: (visit) => visit.userAgent ?? '—' },
  { head: 'Visitor', cell: (visit) => <Kind visit={visit} /> },
];

/** One link and its visits. */
export function LinkVisitsPage({
  site,
  link,
  statistics,
  logs,
}: PageProps<{
  readonly link: ShortUrlRecord;
  readonly statistics: VisitStatistics;
  /** Newest first. */
  readonly logs: readonly VisitLog[];
}>) {
  const days = plural(statistics.days.length, 'day');
  return (
    <Page site={site} title={`Visits to ${link.uniqueId}`}>
      <Heading title={link.uniqueId} lead={link.originalUrl}>
        <CopyButton text={link.urlSet.shortUrl}>Copy</CopyButton>
        <LinkButton href={itemPath('url', link.uniqueId)} icon="external">
          Link page
        </LinkButton>
        <LinkButton href={deletePath('url', link.uniqueId)} look="danger" icon="trash">
          Delete
        </LinkButton>
      </Heading>
      <div class="figures">
        <Figure label="Visits" value={uses(link)} />
        <Figure label={`Bot visits in ${days}`} value={count(statistics.bots)} />
        <Figure label="Expires" value={link.expiresAt ? moment(link.expiresAt) : 'Never'} />
      </div>
      <Card title="Visits per day">
        <Bars title="Visits" points={statistics.days} />
      </Card>
      <Card title={`Visitors in ${days}`}>
        <div class="three">
          <Shares title="Referrers" points={statistics.referrers} />
          <Shares title="Browsers" points={statistics.browsers} />
          <Shares title="Operating systems" points={statistics.systems} />
        </div>
      </Card>
      <Card title="Latest visits">
        {logs.length === 0 ? (
          <p class="hint">No visits yet.</p>
        ) : (
          <Table
            caption="Latest visits"
            columns={logColumns}
            rows={logs}
            rowKey={(visit) => `${visit.time}${visit.ipAddress}`}
          />
        )}
      </Card>
    </Page>
  );
}

function Kind({ visit }: { readonly visit: VisitLog }) {
  return readUserAgent(visit.userAgent).bot ? <Badge>Bot</Badge> : <Badge look="good">Person</Badge>;
}
