/** How the values of several processes are combined. */
type Combine = 'sum' | 'max';

/** One value of a metric. */
export interface Sample {
  /** Empty, or the suffix of the metric's name: `_bucket`, `_sum`, `_count`. */
  readonly suffix: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with its values, of one process or combined. Plain data, because it is sent between processes. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly combine: Combine;
  readonly samples: readonly Sample[];
}

/** A metric with one value. */
export const single = (
  name: string,
  help: string,
  value: number,
  { type = 'gauge', combine = 'sum' }: Partial<Pick<Metric, 'type' | 'combine'>> = {},
  labels: Sample['labels'] = {},
): Metric => ({ name, help, type, combine, samples: [{ suffix: '', labels, value }] });

/** Content type of `metricsText`. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Formats metrics in the Prometheus text format. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.map((sample) => lineOf(name, sample)).join('')}`,
    )
    .join('');
}

function lineOf(name: string, { suffix, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`;
}

const escaped = (text: string): string =>
  text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));

/** Combines the metrics of several processes. */
export function combined(processes: readonly (readonly Metric[])[]): Metric[] {
  const byName = new Map<string, Metric>();
  for (const metric of processes.flat()) {
    const other = byName.get(metric.name);
    byName.set(metric.name, other === undefined ? metric : together(other, metric));
  }
  return [...byName.values()];
}

function together(a: Metric, b: Metric): Metric {
  const samples = new Map<string, Sample>();
  for (const sample of [...a.samples, ...b.samples]) {
    const key = lineOf(a.name, { ...sample, value: 0 });
    const other = samples.get(key)?.value;
    if (other === undefined) samples.set(key, sample);
    else {
      const value = a.combine === 'sum' ? other + sample.value : Math.max(other, sample.value);
      samples.set(key, { ...sample, value });
    }
  }
  return { ...a, samples: [...samples.values()] };
}
