import { t } from '../../../../routers/base/language/i18n.js';
import { count } from '../../format.js';
import type { Paged } from '../../records.js';
import { Icon } from '../icon.js';

/** How many there are, in the words of a list; of a search that looks at no more, that there may be more. */
export const orMore = (list: Paged<unknown>, exact: string): string =>
  list.isCapped ? t('{total} or more', { total: count(list.total) }) : exact;

/** As a number alone. */
export const totalOf = (list: Paged<unknown>): string => `${count(list.total)}${list.isCapped ? '+' : ''}`;

/**
 * The position in a longer list, with links to the previous and next page; past the end, a link to the last page.
 * Renders nothing for a single page. `newestFirst` determines the labels of the links.
 */
export function Pager({
  list,
  href,
  newestFirst = true,
}: {
  readonly list: Paged<unknown>;
  readonly href: (page: number) => string;
  readonly newestFirst?: boolean;
}) {
  const pages = Math.ceil(list.total / list.pageSize);
  if (pages > 0 && list.page >= pages) {
    return (
      <nav class="pager" aria-label={t('Pages')}>
        <a class="button plain" href={href(pages - 1)}>
          <Icon name="left" /> {t('Last page')}
        </a>
        <span>{t('Past the last page, {total} in total', { total: totalOf(list) })}</span>
        <span />
      </nav>
    );
  }
  if (pages <= 1) return null;
  const first = list.page * list.pageSize + 1;
  const last = Math.min(first + list.items.length - 1, list.total);
  return (
    <nav class="pager" aria-label={t('Pages')}>
      {list.page > 0 ? (
        <a class="button plain" href={href(list.page - 1)} rel="prev">
          <Icon name="left" /> {newestFirst ? t('Newer') : t('Previous')}
        </a>
      ) : (
        <span />
      )}
      <span>
        {t('{first}–{last} of {total}', { first: count(first), last: count(last), total: totalOf(list) })}
      </span>
      {list.page < pages - 1 ? (
        <a class="button plain" href={href(list.page + 1)} rel="next">
          {newestFirst ? t('Older') : t('Next')} <Icon name="right" />
        </a>
      ) : (
        <span />
      )}
      <Leaps here={list.page} pages={pages} href={href} />
    </nav>
  );
}

/** Up to so many pages are reached one after the other. */
const MAX_SELECTIVE = 3;

/** In a long list, links to both ends and to pages one, ten, a hundred … away: any page is a few clicks from any other. */
function Leaps({
  here,
  pages,
  href,
}: {
  readonly here: number;
  readonly pages: number;
  readonly href: (page: number) => string;
}) {
  if (pages <= MAX_SELECTIVE) return null;
  return (
    <ul>
      {leaps(here, pages).map((page) => (
        <li key={page}>
          <a
            href={href(page)}
            aria-label={t('Page {page}', { page: count(page + 1) })}
            aria-current={page === here ? 'page' : undefined}
          >
            {count(page + 1)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Pages from 0, ascending: the first, the last, this one, and those whose distance to it is a power of ten. */
function leaps(here: number, pages: number): number[] {
  const found = new Set([0, here, pages - 1]);
  for (let distance = 1; distance < pages; distance *= 10)
    for (const page of [here - distance, here + distance]) if (page > 0 && page < pages) found.add(page);
  return [...found].sort((a, b) => a - b);
}
