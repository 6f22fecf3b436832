import { readFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { GENERATOR } from './load.js';
import type { Pace, Rate, Result } from './measure.js';

/** Everything one bench has shown; `bench-results.json` holds it. */
export interface Report {
  readonly takenAt: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly pace: Pace;
  readonly results: readonly Result[];
  readonly memory: {
    readonly startMs: number;
    readonly idleMiB: number | null;
    readonly idleAimMiB: number;
    readonly peakMiB: number | null;
  };
  /** Visits counted against redirects that the load generator saw; null when redirects were not measured. */
  readonly visits: Visits | null;
}

/** The count is exact when every answered redirect was counted, and nothing but those still under way at the end. */
export interface Visits {
  readonly answered: number;
  readonly counted: number;
  readonly underWay: number;
  readonly exact: boolean;
}

/** The machine, as far as it decides about the figures. */
export function describeMachine(): Report['machine'] {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    processors: cpus().length,
    kernel: release(),
    node: process.version,
    generator: GENERATOR,
    memoryGiB: Math.round(Number(/MemTotal:\s+(\d+)/.exec(read('/proc/meminfo'))?.[1] ?? 0) / 1024 ** 2),
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The report as a table for people. */
export function render(report: Report): string {
  const rows = report.results.flatMap(({ name, subject, references }) =>
    references.map((reference) => [
      name,
      speed(subject),
      reference.label,
      speed(reference),
      reference.ratio.toFixed(3),
      reference.processorRatio?.toFixed(3) ?? '',
      reference.spread.map((ratio) => ratio.toFixed(2)).join('-'),
      reference.aim === null ? '' : `${reference.aim} ${reference.ratio >= reference.aim ? 'met' : 'MISSED'}`,
      notes(subject, reference),
    ]),
  );
  const header = ['case', 'Holdall/s', 'against', 'its/s', 'ratio', 'by cpu', 'rounds', 'aim', ''];
  const { startMs, idleMiB, idleAimMiB, peakMiB } = report.memory;
  return [
    ...columns([header, ...rows]),
    '',
    `listening after ${startMs.toFixed(0)} ms; memory idle ${mib(idleMiB)} (aim ${idleAimMiB} MiB), under load at most ${mib(peakMiB)}`,
    ...(report.visits === null ? [] : [visits(report.visits)]),
  ].join('\n');
}

function speed(rate: Rate): string {
  return rate.perSecond >= 100 ? rate.perSecond.toFixed(0) : rate.perSecond.toFixed(1);
}

function notes(subject: Rate, reference: Rate): string {
  return [
    ...(subject.errors > 0 ? [`${subject.errors} errors`] : []),
    ...(reference.errors > 0 ? [`${reference.errors} errors of the reference`] : []),
    ...(subject.clientBound ? ['client-bound'] : []),
    ...(reference.clientBound ? ['reference client-bound'] : []),
  ].join(', ');
}

function visits({ answered, counted, underWay, exact }: Visits): string {
  return `visits: ${answered} redirects answered, ${counted} counted, at most ${underWay} under way at the ends: ${exact ? 'exact' : 'NOT EXACT'}`;
}

function mib(value: number | null): string {
  return value === null ? 'unknown' : `${value.toFixed(0)} MiB`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
