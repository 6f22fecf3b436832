import { msg, t } from '../../../routers/base/language/i18n.js';
import { visitsPath } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { orMore } from '../components/list/pager.js';
import type { Column } from '../components/list/table.js';
import { Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { Paged, ShortUrlRecord } from '../records.js';
import { mayMake } from '../site.js';
import { uses } from './uses.js';

const columns: readonly Column<ShortUrlRecord>[] = [
  {
    head: msg('Link'),
    kind: 'short',
    cell: (link) => <a href={visitsPath(link.uniqueId)}>{link.uniqueId}</a>,
  },
  {
    head: msg('Destination'),
    kind: 'long',
    title: (link) => link.originalUrl,
    cell: (link) => link.originalUrl,
  },
  { head: msg('Visits'), kind: 'number', cell: (link) => uses(link) },
  { head: msg('Created'), cell: (link) => <Time at={link.createdAt} /> },
  {
    head: msg('Copy'),
    kind: 'action',
    cell: (link) => (
      <CopyButton
        look="quiet"
        text={link.urlSet.shortUrl}
        label={t('Copy {shortUrl}', { shortUrl: link.urlSet.shortUrl })}
      />
    ),
  },
];

/** All short links of a user. */
export function LinksPage({
  site,
  list,
  search,
}: PageProps<{
  readonly list: Paged<ShortUrlRecord>;
  readonly search: string;
}>) {
  return (
    <ListPage
      site={site}
      path="/web/links"
      title={t('Links')}
      lead={orMore(list, t('{total, plural, one {# link} other {# links}}', { total: list.total }))}
      list={list}
      filter={{ search }}
      searchLabel={t('Search IDs and URLs')}
      empty={{ icon: 'link', title: noneOr(search, t('No links yet')) }}
      columns={columns}
      rowKey={(link) => link.uniqueId}
      pick={(link) => ({ id: link.uniqueId, name: link.uniqueId })}
      width="wide"
      actions={
        <>
          <LinkButton href="/web/url-create" look="primary" icon="plus">
            {t('New link')}
          </LinkButton>
          {site.viewer !== null && mayMake(site.viewer) && (
            <LinkButton href="/web/url-import" icon="upload">
              {t('Import')}
            </LinkButton>
          )}
          <LinkButton href="/v1/url/export?format=csv" icon="download" download>
            {t('Export')}
          </LinkButton>
        </>
      }
    />
  );
}
