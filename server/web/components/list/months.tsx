import { t } from '../../../../routers/base/language/i18n.js';
import { count, monthShort, monthWords } from '../../format.js';
import type { Month, Paged } from '../../records.js';

/** The anchor of a month (`2026-01`) on its page. */
export const monthAnchor = (month: string): string => `m${month}`;

/** The months of a long list, the newest first: each leads to where it begins. */
export function Months({
  months,
  list,
  href,
}: {
  readonly months: readonly Month[];
  readonly list: Paged<unknown>;
  readonly href: (page: number) => string;
}) {
  if (months.length < 2 || list.total <= list.pageSize) return null;
  const first = list.page * list.pageSize;
  let end = 0;
  const placed = months.map(({ month, items }) => {
    const from = end;
    end += items;
    return { month, items, page: Math.floor(from / list.pageSize), isHere: from <= first && first < end };
  });
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  return (
    <nav class="months" aria-label={t('Months')}>
      {years.map((year) => (
        <ol key={year}>
          <li class="year" aria-hidden="true">
            {year}
          </li>
          {placed
            .filter(({ month }) => month.startsWith(year))
            .map(({ month, items, page, isHere }) => (
              <li key={month}>
                <a
                  href={`${href(page)}#${monthAnchor(month)}`}
                  title={`${monthWords(month)}, ${count(items)}`}
                  aria-current={isHere ? 'true' : undefined}
                >
                  {monthShort(month)}
                  <span class="unseen"> {year}</span>
                </a>
              </li>
            ))}
        </ol>
      ))}
    </nav>
  );
}
