import type { Result } from './measure.js';
import { columns } from './report.js';

/** A mix of requests, each a second. */
const MIX: Readonly<Record<string, number>> = {
  redirect: 500,
  'image of 100 KB': 200,
  'image of 5 MB': 5,
  paste: 100,
  'create a link': 10,
  'create a paste': 10,
};

/** What one kind of request costs at one step. */
interface Cost {
  readonly kind: string;
  readonly step: string;
  /** The rate, divided by that of the first step. */
  readonly rate: number;
  /** CPU time a request, in microseconds: of the servers, and of what works for them. */
  readonly serverUs: number;
  readonly othersUs: number;
}

const FIRST = 'one process, SQLite';

/** The costs that were measured, and how many processors a mix of requests needs at each step by them. */
export function capacity(results: readonly Result[]): string[] {
  const costs = results.flatMap(({ name, subject, references }): Cost[] =>
    [{ ...subject, label: FIRST }, ...references].map(({ label, perSecond, processorUs, othersUs }) => ({
      kind: name,
      step: label,
      rate: perSecond / subject.perSecond,
      serverUs: processorUs ?? Number.NaN,
      othersUs: othersUs ?? 0,
    })),
  );
  const steps = [...new Set(costs.map(({ step }) => step))];
  const shown = costs.map(({ kind, step, rate, serverUs, othersUs }) => [
    kind,
    step,
    rate.toFixed(2),
    serverUs.toFixed(0),
    othersUs === 0 ? '' : othersUs.toFixed(0),
  ]);
  return [
    '',
    ...columns([['kind', 'step', 'rate', 'µs, servers', 'µs, others'], ...shown]),
    '',
    `processors for ${Object.entries(MIX)
      .map(([kind, rate]) => `${rate} × ${kind}`)
      .join(', ')} a second:`,
    ...steps.map(
      (step) => `  ${step}: ${processorsFor(costs.filter((cost) => cost.step === step)).join(' + ')}`,
    ),
  ];
}

/** Processors of the servers, and of what works for them, that the mix keeps busy. */
function processorsFor(costs: readonly Cost[]): string[] {
  const total = (of: (cost: Cost) => number) =>
    costs.reduce((sum, cost) => sum + ((MIX[cost.kind] ?? 0) * of(cost)) / 1e6, 0).toFixed(2);
  return [`${total(({ serverUs }) => serverUs)} (servers)`, `${total(({ othersUs }) => othersUs)} (others)`];
}
