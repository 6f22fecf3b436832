import { t, tc, translateMessage } from '../../../routers/base/language/i18n.js';
import { withQuery } from '../address.js';
import { Submit } from '../components/button.js';
import { Bars, Shares } from '../components/chart.js';
import { Card } from '../components/parts.js';
import { dateWords } from '../format.js';
import { RANGES } from './range.js';
import type { VisitStatistics } from './statistics.js';

/** The chart of a range of days, which can be chosen; `path` is the address of its page, `title` what is counted. */
export function DaysCard({
  title,
  path,
  statistics: { range, bars },
}: {
  readonly title: string;
  readonly path: string;
  readonly statistics: VisitStatistics;
}) {
  return (
    <Card title={title} look="days">
      <nav class="strip" aria-label={t('Days to show')}>
        {RANGES.map(([key, name]) => (
          <a
            key={key}
            href={withQuery(path, { days: key })}
            aria-current={key === range.key ? 'page' : undefined}
          >
            {translateMessage(name)}
          </a>
        ))}
      </nav>
      <Bars title={title} points={bars} ends={[dateWords(range.from), dateWords(range.to)]} />
      <details open={range.key === null}>
        <summary>{t('Other days')}</summary>
        <form class="inline" method="get" action={path}>
          <label>
            {tc('day', 'From')} <input type="date" name="from" value={range.from} required />
          </label>
          <label>
            {tc('day', 'To')} <input type="date" name="to" value={range.to} />
          </label>
          <Submit look="plain">{t('Show')}</Submit>
        </form>
      </details>
    </Card>
  );
}

/** Where the visitors of these days come from and what they use. */
export function VisitorsCard({ statistics: { traits } }: { readonly statistics: VisitStatistics }) {
  return (
    <div class="traits">
      {traits.map(([title, points]) => (
        <Card key={title} title={title}>
          <Shares points={points} />
        </Card>
      ))}
    </div>
  );
}
