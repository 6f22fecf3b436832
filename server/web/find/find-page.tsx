import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { listPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Tile } from '../components/item/media.js';
import { Chips, Choice, Search } from '../components/list/filter.js';
import { noneOr } from '../components/list/list-page.js';
import { orMore, Pager, totalOf } from '../components/list/pager.js';
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
    <Page site={site} title={tag === '' ? t('Find') : t('Tag: {tag}', { tag })} width="wide">
      <Heading
        title={tag === '' ? t('Find') : t('Tag: {tag}', { tag })}
        lead={orMore(list, t('{total, plural, one {# item} other {# items}}', { total: list.total }))}
      />
      <Asked filter={filter} tags={tags} />
      {list.total === 0 && (
        <Empty icon="search" title={noneOr(`${search}${tag}${kind}`, t('Nothing here yet'))} />
      )}
      <Found rows={list.items} />
      <Pager list={list} href={(page) => listPath(FIND, { ...filter, page })} />
    </Page>
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
      <Asked filter={filter} tags={tags} />
      {groups.length === 0 && <Empty icon="search" title={t('Nothing matches')} />}
      {groups.map(({ title, list, all }) => (
        <section class="part" key={translateMessage(title)}>
          <header>
            <h2>
              {translateMessage(title)} <span class="hint">{totalOf(list)}</span>
            </h2>
            {all !== null && (
              <LinkButton href={all} look="quiet">
                {t('Show all')}
              </LinkButton>
            )}
          </header>
          <Found rows={list.items} />
        </section>
      ))}
    </Page>
  );
}

/** Pictures and videos as in the library, and below them what has a name only. */
function Found({ rows }: { readonly rows: readonly FoundRow[] }) {
  const others = rows.filter(({ tile }) => tile === undefined);
  return (
    <>
      {others.length < rows.length && (
        <ul class="gallery">{rows.map(({ key, tile }) => tile && <Tile key={key} image={tile} />)}</ul>
      )}
      {others.length > 0 && (
        <div class="card">
          <Rows rows={others} rowKey={({ key }) => key} row={(row) => row} />
        </div>
      )}
    </>
  );
}

const Asked = ({ filter, tags }: { readonly filter: Filter; readonly tags: readonly OwnTag[] }) => (
  <>
    <Search action={FIND} search={filter.search} label={t('Words, "words in order", -without')}>
      <Choice
        name="kind"
        label={t('Kind')}
        value={filter.kind}
        options={[
          ['', t('Everything')],
          ...FOUND_KINDS.map((one) => [one, translateMessage(foundTitle(one))] as const),
        ]}
      />
      {filter.tag !== '' && <input type="hidden" name="tag" value={filter.tag} />}
    </Search>
    <Chips
      all={FIND}
      chosen={filter.tag}
      of={tags.slice(0, MAX_OFFERED).map((one) => ({ ...one, href: listPath(FIND, { tag: one.tag }) }))}
    />
  </>
);
