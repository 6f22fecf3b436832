import { visitsPath } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, ShortUrlRecord } from '../records.js';
import { uses } from './uses.js';

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
}: PageProps<{
  readonly list: Paged<ShortUrlRecord>;
  readonly search: string;
}>) {
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
