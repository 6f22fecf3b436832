import type { ComponentChildren } from 'preact';
import { listPath } from '../../address.js';
import type { Paged } from '../../records.js';
import type { Site } from '../../site.js';
import type { IconName } from '../icon.js';
import { Heading, Page } from '../page/page.js';
import { Card, Empty } from '../parts.js';
import { Search } from './filter.js';
import { Pager } from './pager.js';
import { type Column, Table } from './table.js';

/** All items of one kind, with search and pages. The children are shown next to the heading. */
export function ListPage<T extends { readonly uniqueId: string }>({
  site,
  path,
  title,
  lead,
  icon,
  none,
  list,
  columns,
  search,
  searchLabel,
  children,
}: {
  readonly site: Site;
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly icon: IconName;
  /** The text if there are no items at all. */
  readonly none: string;
  readonly list: Paged<T>;
  readonly columns: readonly Column<T>[];
  readonly search: string;
  readonly searchLabel: string;
  readonly children: ComponentChildren;
}) {
  return (
    <Page site={site} title={title}>
      <Heading title={title} lead={lead}>
        {children}
      </Heading>
      <Search action={path} search={search} label={searchLabel} />
      {list.total === 0 ? (
        <Empty icon={icon} title={search === '' ? none : 'Nothing matches'} />
      ) : (
        list.items.length > 0 && (
          <Card>
            <Table caption={title} columns={columns} rows={list.items} rowKey={(item) => item.uniqueId} />
          </Card>
        )
      )}
      <Pager list={list} href={(page) => listPath(path, { search, page })} />
    </Page>
  );
}
