import { readUserAgent } from '../../../routers/stats/user-agent.js';
import { deletePath, itemPath, visitsPath } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Bars, type Point, Shares } from '../components/chart.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Figure, Time } from '../components/parts.js';
import { count, moment, plural } from '../format.js';
import type { Paged, ShortUrlRecord, VisitLog } from '../records.js';
import type { Site } from '../site.js';

const columns: readonly Column<ShortUrlRecord>[] = [
  {
    head: 'Link',
    cell: (link) => <a href={visitsPath(link.uniqueId)}>{link.uniqueId}</a>,
  },
  { head: 'Destination', cell: (link) => <span class="clip">{link.originalUrl}</span> },
  { head: 'Visits', kind: 'number', cell: (link) => uses(link) },
  { head: 'Created', cell: (link) => <Time at={link.createdAt} /> },
  {
    head: 'Copy',
    kind: 'action',
    cell: (link) => (
      <CopyButton look="quiet" text={link.urlSet.shortUrl} label={`Copy ${link.urlSet.shortUrl}`} />
    ),
  },
];

/** All short links of a user. */
export function LinksPage({
  site,
  list,
  search,
}: {
  readonly site: Site;
  readonly list: Paged<ShortUrlRecord>;
  readonly search: string;
}) {
  return (
    <ListPage
      site={site}
      path="/web/links"
      title="Links"
      lead={plural(list.total, 'link')}
      list={list}
      filter={{ search }}
      searchLabel="Search IDs and URLs"
      empty={{ icon: 'link', title: noneOr(search, 'No links yet') }}
      columns={columns}
      rowKey={(link) => link.uniqueId}
      actions={
        <LinkButton href="/web/url-create" look="primary" icon="plus">
          New link
        </LinkButton>
      }
    />
  );
}

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
}: {
  readonly site: Site;
  readonly link: ShortUrlRecord;
  readonly statistics: VisitStatistics;
  /** Newest first. */
  readonly logs: readonly VisitLog[];
}) {
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

function uses(link: ShortUrlRecord): string {
  return link.maxUses > 0 ? `${count(link.visits)} of ${count(link.maxUses)}` : count(link.visits);
}

function Kind({ visit }: { readonly visit: VisitLog }) {
  return readUserAgent(visit.userAgent).bot ? <Badge>Bot</Badge> : <Badge look="good">Person</Badge>;
}
