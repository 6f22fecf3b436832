import { t } from '../../../routers/base/language/i18n.js';
import { deletePath, itemPath, viewsPath, withQuery } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Figure } from '../components/parts.js';
import { count, moment, ofLimit } from '../format.js';
import type { PageProps } from '../page-props.js';
import { DaysCard, VisitorsCard } from './cards.js';
import type { VisitStatistics } from './statistics.js';

/** A file or a paste, as the page of its views shows it. */
export interface ViewedItem {
  readonly kind: 'image' | 'paste';
  readonly uniqueId: string;
  readonly title: string;
  readonly expiresAt: string | null;
  readonly maxViews: number | null;
}

/** One file or paste and its views. */
export function ViewsPage({
  site,
  item: { kind, uniqueId, title, expiresAt, maxViews },
  statistics,
  total,
}: PageProps<{
  readonly item: ViewedItem;
  readonly statistics: VisitStatistics;
  /** All views that were ever counted. */
  readonly total: number;
}>) {
  return (
    <Page site={site} title={t('Views of {title}', { title })}>
      <Heading title={title} lead={t('Views by day, counted in UTC')}>
        <LinkButton href={itemPath(kind, uniqueId)} icon="external">
          {t('Page of the item')}
        </LinkButton>
        <LinkButton href={deletePath(kind, uniqueId)} look="danger" icon="trash">
          {t('Delete')}
        </LinkButton>
      </Heading>
      <div class="figures">
        <Figure label={t('Total views')} value={ofLimit(total, maxViews)} />
        <Figure label={t('People')} value={count(statistics.people)} />
        <Figure label={t('Bots')} value={count(statistics.bots)} />
        <Figure label={t('Expires')} value={expiresAt ? moment(expiresAt) : t('Never')} />
      </div>
      <DaysCard title={t('Views')} path={viewsPath(kind, uniqueId)} statistics={statistics} />
      <VisitorsCard statistics={statistics} />
      <Card title={t('What counts')}>
        <p class="hint">
          {maxViews === null
            ? t('Opening the page or the file counts as a view, yours included. Thumbnails don’t.')
            : t('A view is what uses up one of those that its limit allows.')}
        </p>
        <p class="actions">
          <LinkButton href={exportPath(kind, uniqueId, 'csv')} icon="download">
            {t('All days as CSV')}
          </LinkButton>
          <LinkButton href={exportPath(kind, uniqueId, 'json')} icon="download">
            {t('As JSON')}
          </LinkButton>
        </p>
      </Card>
    </Page>
  );
}

const exportPath = (kind: ViewedItem['kind'], uniqueId: string, format: 'csv' | 'json'): string =>
  withQuery(`/v1/stats/${kind}/${encodeURIComponent(uniqueId)}/export`, { format });
