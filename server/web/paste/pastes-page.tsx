import { msg, t } from '../../../routers/base/language/i18n.js';
import { deletePath, itemPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { orMore } from '../components/list/pager.js';
import type { Column } from '../components/list/table.js';
import { Badge, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { Paged, PasteRecord } from '../records.js';

const columns: readonly Column<PasteRecord>[] = [
  {
    head: msg('Title'),
    kind: 'long',
    title: (paste) => paste.title,
    cell: (paste) => (
      <a href={itemPath('paste', paste.uniqueId)} dir="auto">
        {paste.title}
      </a>
    ),
  },
  { head: msg('Access'), kind: 'short', cell: (paste) => <Access paste={paste} /> },
  { head: msg('Created'), cell: (paste) => <Time at={paste.createdAt} /> },
  {
    head: msg('Expires'),
    kind: 'short',
    cell: (paste) => (paste.expiresAt ? <Time at={paste.expiresAt} /> : t('Never')),
  },
  {
    head: msg('Delete'),
    kind: 'action',
    cell: (paste) => (
      <LinkButton look="quiet" icon="trash" href={deletePath('paste', paste.uniqueId)}>
        {t('Delete')}
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
      title={t('Pastes')}
      lead={orMore(list, t('{total, plural, one {# paste} other {# pastes}}', { total: list.total }))}
      list={list}
      filter={{ search }}
      searchLabel={t('Search titles and text')}
      empty={{ icon: 'scroll', title: noneOr(search, t('No pastes yet')) }}
      columns={columns}
      rowKey={(paste) => paste.uniqueId}
      pick={(paste) => ({ id: paste.uniqueId, name: paste.title })}
      width="wide"
      actions={
        <LinkButton href="/web/paste-create" look="primary" icon="plus">
          {t('New paste')}
        </LinkButton>
      }
    />
  );
}

function Access({ paste }: { readonly paste: PasteRecord }) {
  if (paste.burn) return <Badge icon="flame">{t('Read once')}</Badge>;
  if (paste.requiresPassword) return <Badge icon="key">{t('Password')}</Badge>;
  return paste.isPublic ? (
    <Badge icon="globe">{t('Anyone')}</Badge>
  ) : (
    <Badge icon="lock">{t('Private')}</Badge>
  );
}
