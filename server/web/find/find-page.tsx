import { KINDS, type Kind } from '../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { itemPath, listPath } from '../address.js';
import { Choice } from '../components/list/filter.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { orMore } from '../components/list/pager.js';
import type { Column } from '../components/list/table.js';
import { Time } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { PageProps } from '../page-props.js';
import type { OwnItem, OwnTag, Paged } from '../records.js';

/** The address of the search. */
export const FIND = '/web/find';

/** Tags that the page offers; the others are at the items that have them. */
const MAX_OFFERED = 60;

const tagLink = (tag: string, count?: number) => (
  <a key={tag} href={listPath(FIND, { tag })} dir="auto">
    {tag}
    {count !== undefined && <span class="hint"> {count}</span>}
  </a>
);

const columns: readonly Column<OwnItem>[] = [
  {
    head: msg('Item'),
    cell: (item) => (
      <div>
        <a href={itemPath(item.kind, item.uniqueId)} dir="auto">
          {item.title}
        </a>
        {item.snippet && <SnippetText snippet={item.snippet} />}
      </div>
    ),
  },
  { head: msg('Kind'), kind: 'short', cell: (item) => translateMessage(KIND_WORDS[item.kind].noun) },
  {
    head: msg('Tags'),
    cell: (item) =>
      item.tags.length === 0 ? '—' : <span class="tags">{item.tags.map((tag) => tagLink(tag))}</span>,
  },
  { head: msg('Created'), cell: (item) => <Time at={item.createdAt} /> },
];

/** What the viewer's items say, searched by words, and what has a tag. */
export function FindPage({
  site,
  list,
  filter,
  tags,
}: PageProps<{
  readonly list: Paged<OwnItem>;
  readonly filter: { readonly search: string; readonly kind: '' | Kind; readonly tag: string };
  readonly tags: readonly OwnTag[];
}>) {
  const { search, kind, tag } = filter;
  return (
    <ListPage
      site={site}
      path={FIND}
      title={tag === '' ? t('Find') : t('Tag: {tag}', { tag })}
      lead={orMore(list, t('{total, plural, one {# item} other {# items}}', { total: list.total }))}
      width="wide"
      list={list}
      filter={filter}
      searchLabel={t('Words, "words in order", -without')}
      choices={
        <>
          <Choice
            name="kind"
            label={t('Kind')}
            value={kind}
            options={[
              ['', t('Everything')],
              ...KINDS.map((one) => [one, translateMessage(KIND_WORDS[one].title)] as const),
            ]}
          />
          {tag !== '' && <input type="hidden" name="tag" value={tag} />}
        </>
      }
      empty={{ icon: 'search', title: noneOr(`${search}${tag}${kind}`, t('Nothing here yet')) }}
      columns={columns}
      rowKey={(item) => `${item.kind} ${item.uniqueId}`}
    >
      {tags.length > 0 && (
        <nav class="tags" aria-label={t('Tags')}>
          {tag !== '' && <a href={FIND}>{t('All items')}</a>}
          {tags.slice(0, MAX_OFFERED).map((one) => tagLink(one.tag, one.count))}
        </nav>
      )}
    </ListPage>
  );
}

/** A stretch of a text with what was found in it. */
function SnippetText({ snippet: { text, marks } }: { readonly snippet: NonNullable<OwnItem['snippet']> }) {
  const parts = marks.map(([from, to], index) => (
    <>
      {text.slice(marks[index - 1]?.[1] ?? 0, from)}
      <mark>{text.slice(from, to)}</mark>
    </>
  ));
  return (
    <p class="snippet" dir="auto">
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </p>
  );
}
