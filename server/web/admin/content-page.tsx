import { KINDS, type Kind } from '../../../routers/kinds.js';
import { deletePath, itemPath, listPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Choice, Search } from '../components/list/filter.js';
import { Pager } from '../components/list/pager.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Empty, Person, Time } from '../components/parts.js';
import { plural } from '../format.js';
import { KIND_WORDS } from '../kinds.js';
import type { Paged, UserSummary } from '../records.js';
import type { Site } from '../site.js';

/** An item in the content search. */
export interface ContentEntry {
  readonly kind: Kind;
  readonly uniqueId: string;
  readonly title: string;
  readonly owner: UserSummary | null;
  readonly createdAt: string;
  readonly isPublic: boolean;
}

const contentColumns: readonly Column<ContentEntry>[] = [
  {
    head: 'Item',
    cell: (entry) => (
      <a href={itemPath(entry.kind, entry.uniqueId)} dir="auto">
        {entry.title}
      </a>
    ),
  },
  { head: 'ID', cell: (entry) => <code>{entry.uniqueId}</code> },
  {
    head: 'Access',
    cell: (entry) =>
      entry.isPublic ? <Badge icon="globe">Anyone</Badge> : <Badge icon="lock">Private</Badge>,
  },
  { head: 'Owner', cell: (entry) => entry.owner && <Person user={entry.owner} /> },
  { head: 'Created', cell: (entry) => <Time at={entry.createdAt} /> },
  {
    head: 'Delete',
    kind: 'action',
    cell: (entry) => (
      <LinkButton look="quiet" icon="trash" href={deletePath(entry.kind, entry.uniqueId)}>
        Delete
      </LinkButton>
    ),
  },
];

const contentKinds = KINDS.map((kind) => [kind, KIND_WORDS[kind].title] as const);

/** The filter of the content search. */
export interface ContentChoice {
  readonly search: string;
  readonly kind: ContentEntry['kind'];
  /** Only items of this account; empty for all. */
  readonly uid: string;
}

/** A search in the content of all users. */
export function ContentPage({
  site,
  list,
  filter,
}: {
  readonly site: Site;
  readonly list: Paged<ContentEntry>;
  readonly filter: ContentChoice;
}) {
  return (
    <Page site={site} title="Content" width="wide">
      <Heading title="Content" lead={plural(list.total, 'item')} />
      <Search action="/web/admin/content" search={filter.search} label="Search IDs, names and text">
        <Choice name="kind" label="Type" value={filter.kind} options={contentKinds} />
        {filter.uid !== '' && <input type="hidden" name="uid" value={filter.uid} />}
      </Search>
      {list.total === 0 ? (
        <Empty icon="search" title="Nothing matches" />
      ) : (
        list.items.length > 0 && (
          <Card>
            <Table
              caption="Items"
              columns={contentColumns}
              rows={list.items}
              rowKey={(entry) => `${entry.kind}/${entry.uniqueId}`}
            />
          </Card>
        )
      )}
      <Pager list={list} href={(page) => listPath('/web/admin/content', { ...filter, page })} />
    </Page>
  );
}
