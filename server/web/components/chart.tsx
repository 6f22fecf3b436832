import { count } from '../format.js';

/** One bar, for example a day, a host or a browser. */
export interface Point {
  readonly label: string;
  readonly value: number;
}

const HEIGHT = 120;
const WIDTH = 600;

/** A bar chart over time, drawn on the server. A hidden table has the same numbers for screen readers. */
export function Bars({ title, points }: { readonly title: string; readonly points: readonly Point[] }) {
  const most = Math.max(0, ...points.map((point) => point.value));
  const step = WIDTH / Math.max(1, points.length);
  const gap = Math.min(4, step * 0.25);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}M0 .5H${WIDTH}`} />
        {points.map((point, index) => {
          const tall = (point.value / Math.max(1, most)) * (HEIGHT - 4);
          return (
            <rect
              key={point.label}
              x={(index * step + gap / 2).toFixed(1)}
              y={(HEIGHT - tall).toFixed(1)}
              width={(step - gap).toFixed(1)}
              height={tall.toFixed(1)}
            >
              <title>{`${point.label}: ${count(point.value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{points[0]?.label}</span>
        <span>
          {title}, {most === 0 ? 'none' : `peak ${count(most)}`}
        </span>
        <span>{points.at(-1)?.label}</span>
      </figcaption>
      <PointTable title={title} points={points} />
    </figure>
  );
}

/** A short ranked list with a bar for the share of each entry. */
export function Shares({ title, points }: { readonly title: string; readonly points: readonly Point[] }) {
  const sum = Math.max(
    1,
    points.reduce((total, point) => total + point.value, 0),
  );
  return (
    <div class="shares">
      <h3>{title}</h3>
      <ol>
        {points.map((point) => (
          <li key={point.label}>
            <span>{point.label}</span>
            <span class="number">{count(point.value)}</span>
            <progress max={sum} value={point.value} aria-label={`${point.label}, share of total`} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function PointTable({ title, points }: { readonly title: string; readonly points: readonly Point[] }) {
  return (
    // The wrapper hides the table, because a table itself never shrinks below its content.
    <div class="unseen">
      <table>
        <caption>{title}</caption>
        <tbody>
          {points.map((point) => (
            <tr key={point.label}>
              <th scope="row">{point.label}</th>
              <td>{count(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
