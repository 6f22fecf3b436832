import { KINDS, type Kind } from '../../../routers/kinds.js';
import { deletePath, itemPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Choice } from '../components/list/filter.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Badge, Person, Time } from '../components/parts.js';
import { plural } from '../format.js';
import { KIND_WORDS } from '../kinds.js';
import type { PageProps } from '../page-props.js';
import type { Paged, UserSummary } from '../records.js';

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
}: PageProps<{
  readonly list: Paged<ContentEntry>;
  readonly filter: ContentChoice;
}>) {
  return (
    <ListPage
      site={site}
      path="/web/admin/content"
      title="Content"
      lead={plural(list.total, 'item')}
      width="wide"
      list={list}
      filter={{ ...filter }}
      searchLabel="Search IDs, names and text"
      choices={
        <>
          <Choice name="kind" label="Type" value={filter.kind} options={contentKinds} />
          {filter.uid !== '' && <input type="hidden" name="uid" value={filter.uid} />}
        </>
      }
      empty={{ icon: 'search', title: 'Nothing matches' }}
      caption="Items"
      columns={contentColumns}
      rowKey={(entry) => `${entry.kind}/${entry.uniqueId}`}
    />
  );
}
