import { deletePath, itemPath, listPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Heading, Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Badge, Card, Empty, Time } from '../components/parts.js';
import { type Column, Table } from '../components/table.js';
import { plural } from '../format.js';
import type { Paged, PasteRecord } from '../records.js';
import type { Site } from '../site.js';
import { Search } from './filter.js';

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
}: {
  readonly site: Site;
  readonly list: Paged<PasteRecord>;
  readonly search: string;
}) {
  return (
    <Page site={site} title="Pastes">
      <Heading title="Pastes" lead={plural(list.total, 'paste')}>
        <LinkButton href="/web/paste-create" look="primary" icon="plus">
          New paste
        </LinkButton>
      </Heading>
      <Search action="/web/pastes" search={search} label="Search titles and text" />
      {list.total === 0 ? (
        <Empty icon="scroll" title={search === '' ? 'No pastes yet' : 'Nothing matches'} />
      ) : (
        list.items.length > 0 && (
          <Card>
            <Table caption="Pastes" columns={columns} rows={list.items} rowKey={(paste) => paste.uniqueId} />
          </Card>
        )
      )}
      <Pager list={list} href={(page) => listPath('/web/pastes', { search, page })} />
    </Page>
  );
}

function Access({ paste }: { readonly paste: PasteRecord }) {
  if (paste.burn) return <Badge icon="flame">Read once</Badge>;
  if (paste.requiresPassword) return <Badge icon="key">Password</Badge>;
  return paste.isPublic ? <Badge icon="globe">Anyone</Badge> : <Badge icon="lock">Private</Badge>;
}
