import { KINDS, type Kind } from '../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { deletePath, itemPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Choice } from '../components/list/filter.js';
import { ListPage } from '../components/list/list-page.js';
import { orMore } from '../components/list/pager.js';
import type { Column } from '../components/list/table.js';
import { Badge, Person, Time } from '../components/parts.js';
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
  /** The address of a small picture of it. */
  readonly picture: string | null;
}

const contentColumns: readonly Column<ContentEntry>[] = [
  {
    head: msg('Item'),
    kind: 'long',
    title: (entry) => entry.title,
    cell: (entry) => (
      <span class="with-thumb">
        {entry.picture && (
          <span class="thumb">
            <img src={entry.picture} alt="" loading="lazy" />
          </span>
        )}
        <a href={itemPath(entry.kind, entry.uniqueId)} dir="auto">
          {entry.title}
        </a>
      </span>
    ),
  },
  { head: msg('ID'), kind: 'short', cell: (entry) => <code>{entry.uniqueId}</code> },
  {
    head: msg('Access'),
    kind: 'short',
    cell: (entry) =>
      entry.isPublic ? <Badge icon="globe">{t('Anyone')}</Badge> : <Badge icon="lock">{t('Private')}</Badge>,
  },
  { head: msg('Owner'), kind: 'short', cell: (entry) => entry.owner && <Person user={entry.owner} /> },
  { head: msg('Created'), cell: (entry) => <Time at={entry.createdAt} /> },
  {
    head: msg('Delete'),
    kind: 'action',
    cell: (entry) => (
      <LinkButton look="quiet" icon="trash" href={deletePath(entry.kind, entry.uniqueId)}>
        {t('Delete')}
      </LinkButton>
    ),
  },
];

const contentKinds = () => KINDS.map((kind) => [kind, translateMessage(KIND_WORDS[kind].title)] as const);

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
      title={t('Content')}
      lead={orMore(list, t('{total, plural, one {# item} other {# items}}', { total: list.total }))}
      width="wide"
      list={list}
      filter={{ ...filter }}
      searchLabel={t('Search IDs, names and text')}
      choices={
        <>
          <Choice name="kind" label={t('Type')} value={filter.kind} options={contentKinds()} />
          {filter.uid !== '' && <input type="hidden" name="uid" value={filter.uid} />}
        </>
      }
      empty={{ icon: 'search', title: t('Nothing matches') }}
      caption={t('Items')}
      columns={contentColumns}
      rowKey={(entry) => `${entry.kind}/${entry.uniqueId}`}
    />
  );
}
