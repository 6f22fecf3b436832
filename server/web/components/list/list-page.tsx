import type { ComponentChildren } from 'preact';
import { msg, t } from '../../../../routers/base/language/i18n.js';
import { listPath } from '../../address.js';
import type { Site } from '../../site.js';
import { Heading, Page } from '../page/page.js';
import { Bulk, Pick, SelectAll } from './bulk.js';
import { Search } from './filter.js';
import { Listing, type ListPlace } from './listing.js';
import { type Row, Rows } from './rows.js';
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
  /** Of records that are compared; of things, `row` says how one shows. */
  readonly columns?: readonly Column<T>[];
  readonly row?: (thing: T) => Row;
  readonly rowKey: (row: T) => string | number;
  /** Lets rows be selected, for actions on several of them. */
  readonly pick?: (row: T) => { readonly id: string; readonly name: string };
  /** Between the search and the list. */
  readonly above?: ComponentChildren;
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
  columns = [],
  row,
  rowKey,
  pick,
  above,
  children,
  ...place
}: Props<T>) {
  const picked = pick !== undefined && place.list.items.length > 0;
  const shown =
    pick === undefined
      ? columns
      : [
          { head: msg('Select'), kind: 'pick', cell: (row: T) => <Pick {...pick(row)} /> } as const,
          ...columns,
        ];
  return (
    <Page site={site} title={title} width={width} scripts={picked ? ['library'] : []}>
      <Heading title={title} lead={lead}>
        {picked && <SelectAll />}
        {actions}
      </Heading>
      {searchLabel && (
        <Search action={place.path} search={place.filter?.search ?? ''} label={searchLabel}>
          {choices}
        </Search>
      )}
      {above}
      <Listing {...place}>
        {row ? (
          <Rows
            rows={place.list.items}
            rowKey={rowKey}
            row={row}
            pick={pick && ((thing: T) => <Pick {...pick(thing)} />)}
          />
        ) : (
          <Table caption={caption} columns={shown} rows={place.list.items} rowKey={rowKey} />
        )}
      </Listing>
      {picked && (
        <Bulk action={listPath(place.path, { ...place.filter, page: place.list.page })} list={place.list} />
      )}
      {children}
    </Page>
  );
}

/** What a searched list says if it is empty: that nothing matches, or that there is nothing yet. */
export const noneOr = (search: string, none: string): string => (search === '' ? none : t('Nothing matches'));
