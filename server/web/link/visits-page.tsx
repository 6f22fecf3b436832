import { msg, t, tc } from '../../../routers/base/language/i18n.js';
import { readUserAgent } from '../../../routers/features/stats/user-agent.js';
import { deletePath, editPath, itemPath, listPath, visitsPath, wayPath, withQuery } from '../address.js';
import { Agent } from '../components/agent.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Qr } from '../components/item/qr.js';
import { linkLifetime, RemovedNotice } from '../components/item/removed.js';
import { sharedLink } from '../components/item/share.js';
import { Pager } from '../components/list/pager.js';
import { MenuLink } from '../components/list/rows.js';
import { type Column, Table } from '../components/list/table.js';
import { Menu } from '../components/menu.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Figure, Time } from '../components/parts.js';
import { bareUrl, count, countryName, moment } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, ShortUrlRecord, VisitLog } from '../records.js';
import { owns } from '../site.js';
import { DaysCard, VisitorsCard } from '../visits/cards.js';
import { rangeQuery } from '../visits/range.js';
import type { VisitStatistics } from '../visits/statistics.js';
import { QrDownloads } from './qr-downloads.js';
import { shownId, uses } from './uses.js';
import { WayInWords } from './way/words.js';

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
  peopleBefore,
  log,
}: PageProps<{
  readonly link: ShortUrlRecord;
  readonly statistics: VisitStatistics;
  /** In as many days before those. */
  readonly peopleBefore: number;
  /** Newest first. */
  readonly log: Paged<VisitLog>;
}>) {
  const { range, people, bots } = statistics;
  const path = visitsPath(link.fullId);
  const mine = owns(site.viewer, link.uploader);
  return (
    <Page
      site={site}
      title={t('Visits to {uniqueId}', { uniqueId: shownId(link) })}
      made={{ ...link, link: sharedLink(link.urlSet, true), change: editPath('url', link.fullId) }}
    >
      <Heading title={bareUrl(link.urlSet.shortUrl)} lead={link.originalUrl}>
        <CopyButton text={link.urlSet.shortUrl} look="primary">
          {t('Copy link')}
        </CopyButton>
        <Menu
          look="button plain"
          label={
            <>
              <Icon name="qr" />
              {t('QR code')}
            </>
          }
        >
          <Qr text={link.urlSet.shortUrl} label={t('QR code of the link')} />
          <QrDownloads uniqueId={link.fullId} />
        </Menu>
        {mine && (
          <LinkButton href={editPath('url', link.fullId)} icon="pen">
            {t('Edit')}
          </LinkButton>
        )}
        <Menu
          look="button plain"
          name={t('More about {name}', { name: shownId(link) })}
          label={<Icon name="dots" />}
        >
          <ul>
            <MenuLink href={itemPath('url', link.fullId)} icon="eye">
              {t('What visitors see')}
            </MenuLink>
            {mine && (
              <MenuLink href={wayPath(link.fullId)} icon="filter">
                {t('Rules and parts')}
              </MenuLink>
            )}
            <MenuLink href={deletePath('url', link.fullId)} icon="trash">
              {t('Delete')}
            </MenuLink>
          </ul>
        </Menu>
      </Heading>
      <RemovedNotice of={linkLifetime(link)} mine={mine} />
      <div class="figures">
        <Figure label={t('Total visits')} value={uses(link)} />
        <Figure label={t('People')} value={count(people)} note={changeSince(people, peopleBefore)} />
        <Figure label={t('Bots')} value={count(bots)} />
        <Figure label={t('Expires')} value={link.expiresAt ? moment(link.expiresAt) : t('Never')} />
      </div>
      {link.rules.length + link.split.length > 0 && (
        <Card
          title={t('Who is led where')}
          actions={
            <LinkButton href={wayPath(link.fullId)} icon="pen">
              {t('Change or try')}
            </LinkButton>
          }
        >
          <WayInWords link={link} />
        </Card>
      )}
      <DaysCard title={t('Visits')} path={path} statistics={statistics} />
      <VisitorsCard statistics={statistics} />
      <details class="more card" open={log.page > 0}>
        <summary>{t('Latest visits')}</summary>
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
      </details>
    </Page>
  );
}

/** How much more or less it is than before; undefined where there is nothing to compare with. */
function changeSince(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = Math.round((100 * (now - before)) / before);
  return t('{change}% on the days before', { change: percent > 0 ? `+${percent}` : String(percent) });
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
