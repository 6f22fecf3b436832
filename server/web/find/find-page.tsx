import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { listPath } from '../address.js';
import { Chips, Choice, Search } from '../components/list/filter.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { orMore, totalOf } from '../components/list/pager.js';
import { Rows } from '../components/list/rows.js';
import { Heading, Page } from '../components/page/page.js';
import { Empty } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { OwnTag, Paged } from '../records.js';
import { FIND, FOUND_KINDS, type FoundKind, type FoundRow, foundTitle } from './found.js';

/** Tags that the page offers; the others are at the items that have them. */
const MAX_OFFERED = 60;

type Filter = { readonly search: string; readonly kind: '' | FoundKind; readonly tag: string };

/** The first of each kind that a search finds. */
export interface FoundGroup {
  readonly title: Message;
  readonly list: Paged<FoundRow>;
  /** Where all of them are; null if these are all. */
  readonly all: string | null;
}

/** What the viewer has of one kind or with one tag, searched by words. */
export function FindPage({
  site,
  list,
  filter,
  tags,
}: PageProps<{
  readonly list: Paged<FoundRow>;
  readonly filter: Filter;
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
      searchLabel={searchLabel()}
      choices={<Choices filter={filter} />}
      empty={{ icon: 'search', title: noneOr(`${search}${tag}${kind}`, t('Nothing here yet')) }}
      row={(row) => row}
      rowKey={({ key }) => key}
      above={<Tags tags={tags} tag={tag} />}
    />
  );
}

/** What a search finds of everything, by kind. */
export function FoundPage({
  site,
  groups,
  filter,
  tags,
}: PageProps<{
  readonly groups: readonly FoundGroup[];
  readonly filter: Filter;
  readonly tags: readonly OwnTag[];
}>) {
  return (
    <Page site={site} title={t('Find')} width="wide">
      <Heading title={t('Find')} />
      <Search action={FIND} search={filter.search} label={searchLabel()}>
        <Choices filter={filter} />
      </Search>
      <Tags tags={tags} tag="" />
      {groups.length === 0 && <Empty icon="search" title={t('Nothing matches')} />}
      {groups.map(({ title, list, all }) => (
        <section class="part" key={translateMessage(title)}>
          <h2>
            {translateMessage(title)} <span class="hint">{totalOf(list)}</span>
          </h2>
          <div class="card">
            <Rows rows={list.items} rowKey={({ key }) => key} row={(row) => row} />
          </div>
          {all !== null && (
            <a class="button quiet" href={all}>
              {t('Show all')}
            </a>
          )}
        </section>
      ))}
    </Page>
  );
}

const searchLabel = () => t('Words, "words in order", -without');

const Choices = ({ filter: { kind, tag } }: { readonly filter: Filter }) => (
  <>
    <Choice
      name="kind"
      label={t('Kind')}
      value={kind}
      options={[
        ['', t('Everything')],
        ...FOUND_KINDS.map((one) => [one, translateMessage(foundTitle(one))] as const),
      ]}
    />
    {tag !== '' && <input type="hidden" name="tag" value={tag} />}
  </>
);

const Tags = ({ tags, tag }: { readonly tags: readonly OwnTag[]; readonly tag: string }) => (
  <Chips
    all={FIND}
    chosen={tag}
    of={tags.slice(0, MAX_OFFERED).map((one) => ({ ...one, href: listPath(FIND, { tag: one.tag }) }))}
  />
);
