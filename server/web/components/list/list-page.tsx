import type { ComponentChildren } from 'preact';
import type { Site } from '../../site.js';
import { Heading, Page } from '../page/page.js';
import { Search } from './filter.js';
import { Listing, type ListPlace } from './listing.js';
import { type Column, Table } from './table.js';

interface Props<T> extends ListPlace<T> {
  readonly site: Site;
  readonly title: string;
  readonly lead?: string;
  readonly width?: 'normal' | 'wide';
  /** Next to the heading. */
  readonly actions?: ComponentChildren;
  /** Without it the list has no search. */
  readonly searchLabel?: string;
  /** Further fields of the search. */
  readonly choices?: ComponentChildren;
  /** The name of the table. */
  readonly caption?: string;
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T) => string | number;
  /** Below the list. */
  readonly children?: ComponentChildren;
}

/** A page with a table of records, its search and its pages. */
export function ListPage<T>({
  site,
  title,
  lead,
  width = 'normal',
  actions,
  searchLabel,
  choices,
  caption = title,
  columns,
  rowKey,
  children,
  ...place
}: Props<T>) {
  return (
    <Page site={site} title={title} width={width}>
      <Heading title={title} lead={lead}>
        {actions}
      </Heading>
      {searchLabel && (
        <Search action={place.path} search={place.filter?.search ?? ''} label={searchLabel}>
          {choices}
        </Search>
      )}
      <Listing {...place}>
        <Table caption={caption} columns={columns} rows={place.list.items} rowKey={rowKey} />
      </Listing>
      {children}
    </Page>
  );
}

/** What a searched list says if it is empty: that nothing matches, or that there is nothing yet. */
export const noneOr = (search: string, none: string): string => (search === '' ? none : 'Nothing matches');
