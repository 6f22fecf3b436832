import { deletePath, itemPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Badge, Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, PasteRecord } from '../records.js';

const columns: readonly Column<PasteRecord>[] = [
  {
    head: 'Title',
    cell: (paste) => (
      <a href={itemPath('paste', paste.uniqueId)} dir="auto">
        {paste.title}
      </a>
    ),
  },
  { head: 'Access', cell: (paste) => <Access paste={paste} /> },
  { head: 'Created', cell: (paste) => <Time at={paste.createdAt} /> },
  { head: 'Expires', cell: (paste) => (paste.expiresAt ? <Time at={paste.expiresAt} /> : 'Never') },
  {
    head: 'Delete',
    kind: 'action',
    cell: (paste) => (
      <LinkButton look="quiet" icon="trash" href={deletePath('paste', paste.uniqueId)}>
        Delete
      </LinkButton>
    ),
  },
];

/** All pastes of a user. */
export function PastesPage({
  site,
  list,
  search,
}: PageProps<{
  readonly list: Paged<PasteRecord>;
  readonly search: string;
}>) {
  return (
    <ListPage
      site={site}
      path="/web/pastes"
      title="Pastes"
      lead={plural(list.total, 'paste')}
      list={list}
      filter={{ search }}
      searchLabel="Search titles and text"
      empty={{ icon: 'scroll', title: noneOr(search, 'No pastes yet') }}
      columns={columns}
      rowKey={(paste) => paste.uniqueId}
      actions={
        <LinkButton href="/web/paste-create" look="primary" icon="plus">
          New paste
        </LinkButton>
      }
    />
  );
}

function Access({ paste }: { readonly paste: PasteRecord }) {
  if (paste.burn) return <Badge icon="flame">Read once</Badge>;
  if (paste.requiresPassword) return <Badge icon="key">Password</Badge>;
  return paste.isPublic ? <Badge icon="globe">Anyone</Badge> : <Badge icon="lock">Private</Badge>;
}
