import { count } from '../format.js';
import type { Paged } from '../records.js';
import { Icon } from './icon.js';

/**
 * Where one is in a longer list, and the way to its neighbours; past its end, the way back to it. Nothing when there is
 * one page only. `newestFirst` says what the neighbours hold.
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
      <nav class="pager" aria-label="Pages">
        <a class="button plain" href={href(pages - 1)}>
          <Icon name="left" /> Last page
        </a>
        <span>Past the end, {count(list.total)} in all</span>
        <span />
      </nav>
    );
  }
  if (pages <= 1) return null;
  const first = list.page * list.pageSize + 1;
  const last = Math.min(first + list.items.length - 1, list.total);
  return (
    <nav class="pager" aria-label="Pages">
      {list.page > 0 ? (
        <a class="button plain" href={href(list.page - 1)} rel="prev">
          <Icon name="left" /> {newestFirst ? 'Newer' : 'Previous'}
        </a>
      ) : (
        <span />
      )}
      <span>
        {count(first)}–{count(last)} of {count(list.total)}
      </span>
      {list.page < pages - 1 ? (
        <a class="button plain" href={href(list.page + 1)} rel="next">
          {newestFirst ? 'Older' : 'Next'} <Icon name="right" />
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
