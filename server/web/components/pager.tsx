import { count } from '../format.js';
import type { Paged } from '../records.js';
import { Icon } from './icon.js';

/** Where one is in a longer list, and the way to its neighbours. Nothing when there is one page only. */
export function Pager({
  list,
  href,
}: {
  readonly list: Paged<unknown>;
  readonly href: (page: number) => string;
}) {
  const pages = Math.ceil(list.total / list.pageSize);
  if (pages <= 1) return null;
  const first = list.page * list.pageSize + 1;
  const last = Math.min(first + list.items.length - 1, list.total);
  return (
    <nav class="pager" aria-label="Pages">
      {list.page > 0 ? (
        <a class="button plain" href={href(list.page - 1)} rel="prev">
          <Icon name="left" /> Newer
        </a>
      ) : (
        <span />
      )}
      <span>
        {count(first)}–{count(last)} of {count(list.total)}
      </span>
      {list.page < pages - 1 ? (
        <a class="button plain" href={href(list.page + 1)} rel="next">
          Older <Icon name="right" />
        </a>
      ) : (
        <span />
      )}
    </nav>
  );
}
