import { msg, t } from '../../../routers/base/language/i18n.js';
import { itemPath, listPath } from '../address.js';
import type { Offered } from '../collection/offered.js';
import { Submit } from '../components/button.js';
import { Check, optionsOf } from '../components/form/choices.js';
import { Tile } from '../components/item/media.js';
import { Bulk, SelectAll } from '../components/list/bulk.js';
import { Chips, Choice, Search } from '../components/list/filter.js';
import { Months, monthAnchor } from '../components/list/months.js';
import { orMore, Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Empty } from '../components/parts.js';
import { monthWords } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { ListedImage, Month, Paged } from '../records.js';
import type { LibraryFilter } from './asked.js';
import { type Tiles, TilesSwitch } from './tiles.js';

const kinds = [
  ['', msg('All types')],
  ['image', msg('Images')],
  ['video', msg('Video')],
  ['audio', msg('Audio')],
  ['other', msg('Other files')],
] as const;
const accesses = [
  ['', msg('Public and private')],
  ['public', msg('Public')],
  ['private', msg('Private')],
  ['password', msg('Password-protected')],
] as const;
const sorts = [
  ['newest', msg('Newest first')],
  ['oldest', msg('Oldest first')],
  ['largest', msg('Largest first')],
  ['name', msg('By name')],
] as const;

/** All uploads of a user, with actions for several at once. */
export function LibraryPage({
  site,
  list,
  filter,
  months,
  tags,
  collections,
  tiles,
}: PageProps<{
  readonly list: Paged<ListedImage>;
  readonly filter: LibraryFilter;
  /** How many files came in each month, the newest first; empty for another order, and for a part of the library. */
  readonly months: readonly Month[];
  /** Of files, in alphabetical order. */
  readonly tags: readonly string[];
  readonly collections: readonly Offered[];
  readonly tiles: Tiles;
}>) {
  const target = collections.find(({ uniqueId }) => uniqueId === filter.into);
  const narrowed = isNarrowed(filter);
  return (
    <Page site={site} title={t('Library')} scripts={['library']} width="wide">
      <Heading
        title={t('Library')}
        lead={
          target
            ? t('Select what to add to “{title}”', { title: target.title })
            : orMore(list, t('{count, plural, one {# file} other {# files}}', { count: list.total }))
        }
      >
        {list.items.length > 0 && (
          <>
            <TilesSwitch site={site} chosen={tiles} />
            <SelectAll />
          </>
        )}
      </Heading>
      <Search action="/web/library" search={filter.search} label={t('Search names and descriptions')}>
        <Choice name="kind" label={t('Type')} value={filter.kind} options={optionsOf(kinds)} />
        <Choice
          name="access"
          label={t('Who can see it')}
          value={filter.access}
          options={optionsOf(accesses)}
        />
        <Choice name="sort" label={t('Sort by')} value={filter.sort} options={optionsOf(sorts)} />
        <Check name="favourite" label={t('Favourites only')} checked={filter.favourite !== ''} />
        {target && <input type="hidden" name="into" value={target.uniqueId} />}
        {filter.tag !== '' && <input type="hidden" name="tag" value={filter.tag} />}
      </Search>
      <Chips
        all={libraryPath({ ...filter, tag: '' }, 0)}
        chosen={filter.tag}
        of={tags.map((tag) => ({ tag, href: libraryPath({ ...filter, tag }, 0) }))}
      />
      {list.total === 0 ? (
        <Empty icon="image" title={narrowed ? t('Nothing matches') : t('Nothing here yet')}>
          {narrowed ? (
            <a href="/web/library">{t('Show all')}</a>
          ) : (
            <a href="/web/image-upload">{t('Upload something')}</a>
          )}
        </Empty>
      ) : (
        <>
          <div class="timeline">
            <Months months={months} list={list} href={(page) => libraryPath(filter, page)} />
            <div>
              {monthsOf(list.items, filter.sort).map(({ month, images }, place) => (
                <section class="part" key={month} id={month ? monthAnchor(month) : undefined}>
                  {month && <h2>{monthWords(month)}</h2>}
                  <ul class={tiles === 'medium' ? 'gallery' : `gallery ${tiles}`}>
                    {images.map((image, index) => (
                      <Tile
                        key={image.uniqueId}
                        image={image}
                        pick
                        width={tiles === 'large' ? 800 : undefined}
                        eager={place === 0 && index < 12}
                        href={withinLibrary(filter, image.uniqueId)}
                      />
                    ))}
                  </ul>
                </section>
              ))}
            </div>
          </div>
          <Pager
            list={list}
            href={(page) => libraryPath(filter, page)}
            newestFirst={filter.sort === 'newest'}
          />
          {list.items.length > 0 && (
            <Bulk action={libraryPath(filter, list.page)} list={list}>
              {collections.length > 0 && (
                <span class="group">
                  <select name="collection" aria-label={t('Collection to add to')}>
                    {collections.map(({ uniqueId, title }) => (
                      <option key={uniqueId} value={uniqueId} selected={uniqueId === filter.into} dir="auto">
                        {title}
                      </option>
                    ))}
                  </select>
                  <Submit look="plain" icon="album" name="action" value="add">
                    {t('Add')}
                  </Submit>
                </span>
              )}
            </Bulk>
          )}
        </>
      )}
    </Page>
  );
}

/** Whether it leaves only a part of the library. */
export const isNarrowed = ({ search, kind, access, favourite, tag }: LibraryFilter): boolean =>
  [search, kind, access, favourite, tag].some((one) => one !== '');

/** The items of a page by the month (`2026-01`) in which they came in; together where they are in another order. */
function monthsOf(items: readonly ListedImage[], sort: LibraryFilter['sort']) {
  const months: { readonly month: string; readonly images: ListedImage[] }[] = [];
  for (const image of items) {
    const month = sort === 'newest' || sort === 'oldest' ? image.uploadedAt.slice(0, 7) : '';
    const last = months.at(-1);
    if (last?.month === month) last.images.push(image);
    else months.push({ month, images: [image] });
  }
  return months;
}

/** The page of an item as one of a library: it leads to those beside it, and back. */
export const withinLibrary = (filter: LibraryFilter, uniqueId: string): string =>
  listPath(itemPath('image', uniqueId), {
    in: 'library',
    ...filter,
    sort: filter.sort === 'newest' ? '' : filter.sort,
  });

/** The path of the library with this filter and page. */
export function libraryPath(filter: LibraryFilter, page: number): string {
  return listPath('/web/library', { ...filter, page });
}
