import { t, tc } from '../../../routers/base/language/i18n.js';
import { count } from '../format.js';

/** One bar, for example a day, a host or a browser. */
export interface Point {
  readonly label: string;
  readonly value: number;
  /** How much of the value are bots, where people and bots are told apart. */
  readonly bots?: number;
}

const HEIGHT = 120;
const WIDTH = 600;

/**
 * A bar chart over time, drawn on the server. Each bar says its numbers to a pointer, to the arrow keys and to screen
 * readers: the bars are radio buttons, which need no script for that.
 */
export function Bars({
  title,
  points,
  ends = [points[0]?.label, points.at(-1)?.label],
}: {
  readonly title: string;
  readonly points: readonly Point[];
  /** What is written below the first and the last bar; their labels unless those are long. */
  readonly ends?: readonly [first: string | undefined, last: string | undefined];
}) {
  const most = Math.max(0, ...points.map((point) => point.value));
  const top = topOf(most);
  const step = WIDTH / Math.max(1, points.length);
  const gap = Math.min(4, step * 0.25);
  const split = points.some((point) => point.bots !== undefined);
  return (
    <figure class="chart">
      <div class="plot">
        <ol class="scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <li key={value}>{count(value)}</li>
          ))}
        </ol>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 .5H${WIDTH}`} />
          {points.map((point, index) => {
            const { value, bots = 0 } = point;
            const tall = (value / top) * HEIGHT;
            const upper = (bots / top) * HEIGHT;
            const place = { x: (index * step + gap / 2).toFixed(1), width: (step - gap).toFixed(1) };
            return (
              <g key={point.label}>
                <rect {...place} y={(HEIGHT - tall + upper).toFixed(1)} height={(tall - upper).toFixed(1)} />
                {bots > 0 && (
                  <rect class="bots" {...place} y={(HEIGHT - tall).toFixed(1)} height={upper.toFixed(1)} />
                )}
              </g>
            );
          })}
        </svg>
        <fieldset class="bars">
          <legend class="unseen">{title}</legend>
          {points.map((point, index) => (
            <label key={point.label}>
              <input type="radio" name={title} checked={index === points.length - 1} />
              <span class="tip">{inWords(point)}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <figcaption>
        <span>{ends[0]}</span>
        <span>
          {split && most > 0 ? (
            <>
              <span class="key">{tc('visitor', 'People')}</span> <span class="key bots">{t('Bots')}</span>
            </>
          ) : most === 0 ? (
            t('{title}, none', { title })
          ) : (
            t('{title}, peak {most}', { title, most: count(most) })
          )}
        </span>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  );
}

/** The numbers of a bar in words. */
function inWords({ label, value, bots }: Point): string {
  return bots === undefined
    ? `${label}: ${count(value)}`
    : t('{label}: {value} by people, {bots} by bots', {
        label,
        value: count(value - bots),
        bots: count(bots),
      });
}

/** The value of the upper line: 2, 4 or 10, with zeros, so that the middle line is a whole number, too. */
function topOf(most: number): number {
  let unit = 1;
  for (;;) {
    for (const top of [2 * unit, 4 * unit, 10 * unit]) if (top >= most) return top;
    unit *= 10;
  }
}

/** A short ranked list with the share of each entry as a number and a bar. */
export function Shares({ points }: { readonly points: readonly Point[] }) {
  const sum = Math.max(
    1,
    points.reduce((total, point) => total + point.value, 0),
  );
  return (
    <div class="shares">
      {points.length === 0 && <p class="hint">{t('Nobody yet.')}</p>}
      <ol>
        {points.map((point) => (
          <li key={point.label}>
            <progress
              max={sum}
              value={point.value}
              aria-label={t('{label}, share of total', { label: point.label })}
            />
            <span>{point.label}</span>
            <span class="number">
              {count(point.value)} <span class="hint">{Math.round((100 * point.value) / sum)}%</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
