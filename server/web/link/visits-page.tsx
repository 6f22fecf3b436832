import { msg, say, t, tc } from '../../../routers/language/speech.js';
import { readUserAgent } from '../../../routers/stats/user-agent.js';
import { deletePath, itemPath, listPath, visitsPath, withQuery } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Bars, type Point, Shares } from '../components/chart.js';
import { Pager } from '../components/list/pager.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Figure, Time } from '../components/parts.js';
import { count, countryName, dateWords, moment } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, ShortUrlRecord, VisitLog } from '../records.js';
import { uses } from './uses.js';
import { RANGES, rangeQuery, type VisitRange } from './visit-range.js';

/** The visit statistics of a link. */
export interface VisitStatistics {
  readonly range: VisitRange;
  /** Visits in these days by people, and by bots, among them link previews. */
  readonly people: number;
  readonly bots: number;
  /** Visits by day or week, ascending. */
  readonly bars: readonly Point[];
  /** Where visitors come from and what they use, by the title of each list. */
  readonly traits: readonly Trait[];
}

/** The shares of what visitors have in common, with their title. */
export type Trait = readonly [title: string, points: readonly Point[]];

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
  const { range, people, bots, bars, traits } = statistics;
  const path = visitsPath(link.uniqueId);
  return (
    <Page site={site} title={t('Visits to {uniqueId}', { uniqueId: link.uniqueId })}>
      <Heading title={link.uniqueId} lead={link.originalUrl}>
        <CopyButton text={link.urlSet.shortUrl}>{t('Copy')}</CopyButton>
        <LinkButton href={itemPath('url', link.uniqueId)} icon="external">
          {t('Link page')}
        </LinkButton>
        <LinkButton href={deletePath('url', link.uniqueId)} look="danger" icon="trash">
          {t('Delete')}
        </LinkButton>
      </Heading>
      <div class="figures">
        <Figure label={t('Visits in all')} value={uses(link)} />
        <Figure label={t('By people in these days')} value={count(people)} />
        <Figure label={t('By bots in these days')} value={count(bots)} />
        <Figure label={t('Expires')} value={link.expiresAt ? moment(link.expiresAt) : t('Never')} />
      </div>
      <Card title={t('Visits')}>
        <nav class="strip" aria-label={t('Days to show')}>
          {RANGES.map(([key, name]) => (
            <a
              key={key}
              href={withQuery(path, { days: key })}
              aria-current={key === range.key ? 'page' : undefined}
            >
              {say(name)}
            </a>
          ))}
        </nav>
        <Bars title={t('Visits')} points={bars} ends={[dateWords(range.from), dateWords(range.to)]} />
        <details open={range.key === null}>
          <summary>{t('Other days')}</summary>
          <form class="inline" method="get" action={path}>
            <label>
              {tc('day', 'From')} <input type="date" name="from" value={range.from} required />
            </label>
            <label>
              {tc('day', 'To')} <input type="date" name="to" value={range.to} />
            </label>
            <Submit look="plain">{t('Show')}</Submit>
          </form>
        </details>
      </Card>
      <Card title={t('Visitors in these days')}>
        <div class="three">
          {traits.map(([title, points]) => (
            <Shares key={title} title={title} points={points} />
          ))}
        </div>
      </Card>
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
              <LinkButton href={exportPath(link.uniqueId, 'csv')} icon="download">
                {t('All visits as CSV')}
              </LinkButton>
              <LinkButton href={exportPath(link.uniqueId, 'json')} icon="download">
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
  const { browser, system, bot } = readUserAgent(userAgent);
  const words = [browser, system].filter((word) => word !== '').join(', ') || t('Unknown');
  const kind = bot ? <Badge>{t('Bot')}</Badge> : <Badge look="good">{tc('visitor', 'Person')}</Badge>;
  if (userAgent === null)
    return (
      <>
        {words} {kind}
      </>
    );
  return (
    <details class="agent">
      <summary>
        {words} {kind}
      </summary>
      <code>{userAgent}</code>
    </details>
  );
}
