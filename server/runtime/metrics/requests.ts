import { KIND_NAMES } from '../../../routers/base/kinds.js';
import { type Metric, type Sample, single } from './metric.js';

/** Counts answered requests; see `createRequestCounts`. */
export interface RequestCounts {
  add(url: string, status: number, ms: number): void;
  read(): Metric[];
}

/** Upper bounds of the histogram buckets in seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, Number.POSITIVE_INFINITY] as const;

/** The first matching prefix determines the class of a request. */
const CLASSES: readonly (readonly [start: string, name: string])[] = [
  ...Object.values(KIND_NAMES).map(({ raw, requestClass }) => [`/v1${raw.path}`, requestClass] as const),
  ['/v1/r/', 'redirect'],
  ['/r/', 'redirect'],
  ['/v1/image/upload', 'upload'],
  ['/v1/web/', 'page'],
  ['/web/', 'page'],
  ['/v1/', 'api'],
  ['/trpc/', 'trpc'],
];

interface Counts {
  readonly buckets: number[];
  count: number;
  seconds: number;
}

/**
 * Durations by class of path and status. Runs for every request, so it counts in plain numbers; metric names are only
 * built when the metrics are read.
 */
export function createRequestCounts(): RequestCounts {
  const counts = new Map<string, Counts[]>();
  let limited = 0;
  const none = (): Counts => ({ buckets: BUCKETS.map(() => 0), count: 0, seconds: 0 });
  // From the start, so that the first of a kind is an increase and not a new series.
  for (const name of [...CLASSES.map(([, own]) => own), 'other']) {
    const families: Counts[] = [];
    for (const family of [2, 3, 4, 5]) families[family] = none();
    counts.set(name, families);
  }

  return {
    add(url, status, ms) {
      const name = CLASSES.find(([start]) => url.startsWith(start))?.[1] ?? 'other';
      if (status === 429) limited += 1;
      const family = Math.floor(status / 100);
      let families = counts.get(name);
      if (families === undefined) {
        families = [];
        counts.set(name, families);
      }
      families[family] ??= none();
      const own = families[family];
      const seconds = ms / 1000;
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
      own.buckets[bucket] = (own.buckets[bucket] ?? 0) + 1;
      own.count += 1;
      own.seconds += seconds;
    },
    read: () => [
      {
        name: 'holdall_http_request_duration_seconds',
        help: 'Answered requests by class of path and status, from arrival to the last byte.',
        type: 'histogram',
        combine: 'sum',
        samples: [...counts].flatMap(([path, families]) =>
          Object.entries(families).flatMap(([family, own]) =>
            samplesOf({ path, status: `${family}xx` }, own),
          ),
        ),
      },
      single('holdall_http_limited_total', 'Requests beyond a limit, answered with 429.', limited, {
        type: 'counter',
      }),
    ],
  };
}

function samplesOf(labels: Readonly<Record<string, string>>, { buckets, count, seconds }: Counts): Sample[] {
  let below = 0;
  const bounds = BUCKETS.map((bound, index) => {
    below += buckets[index] ?? 0;
    const le = Number.isFinite(bound) ? String(bound) : '+Inf';
    return { suffix: '_bucket', labels: { ...labels, le }, value: below };
  });
  return [...bounds, { suffix: '_sum', labels, value: seconds }, { suffix: '_count', labels, value: count }];
}
