import { readFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import type { Verdict } from './aims.js';
import type { Memory, Pace } from './case.js';
import { GENERATOR } from './load.js';
import type { Comparison, Result, Visits } from './measure.js';
import type { Rate } from './rate.js';

/** The complete result of one bench, as stored in `bench-results.json`. */
export interface Report {
  readonly takenAt: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly pace: Pace;
  readonly results: readonly Result[];
  /** Null if not applicable. */
  readonly memory: Memory | null;
  /** Further lines for people. */
  readonly summary: readonly string[];
}

/** The machine, as far as it affects the figures. */
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

const HEADER = [
  'case',
  'Holdall/s',
  'against',
  'its/s',
  'ratio',
  'rounds',
  'by cpu',
  'p99 ms',
  'its p99',
  'p99 ratio',
  'aims',
];

/** The report as a table for people. */
export function render({ results, memory }: Report): string {
  const rows = results.flatMap((result) => result.references.map((reference) => line(result, reference)));
  return [
    ...columns([HEADER, ...rows]),
    '',
    ...(memory === null ? [] : [memoryLine(memory)]),
    ...results.flatMap(({ name, visits }) => (visits === null ? [] : [visitsLine(name, visits)])),
  ].join('\n');
}

function line({ name, subject, crowded }: Result, reference: Comparison): string[] {
  const timed = (cell: string) => (crowded ? '' : cell);
  return [
    name,
    timed(number(subject.perSecond)),
    reference.label,
    timed(number(reference.perSecond)),
    timed(reference.ratio.toFixed(3)),
    timed(reference.spread.map((ratio) => ratio.toFixed(2)).join('-')),
    reference.processorRatio?.toFixed(3) ?? '',
    timed(number(subject.p99Ms)),
    timed(number(reference.p99Ms)),
    timed(reference.p99Ratio.toFixed(2)),
    [...reference.verdicts.map(verdict), ...notes(subject, reference, crowded)].join(', '),
  ];
}

const verdict = ({ of, aim, met }: Verdict): string => `${of} ${aim} ${met ? 'met' : 'MISSED'}`;

/** Three significant digits, or more if there are more before the point. */
const number = (value: number): string => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);

function notes(subject: Rate, reference: Rate, crowded: boolean): string[] {
  return [
    ...(subject.errors > 0 ? [`${subject.errors} errors`] : []),
    ...(reference.errors > 0 ? [`${reference.errors} errors of the reference`] : []),
    ...(subject.clientBound && !crowded ? ['client-bound'] : []),
    ...(reference.clientBound && !crowded ? ['reference client-bound'] : []),
  ];
}

function memoryLine({ startMs, idleMiB, idleAimMiB, peakMiB, afterMiB }: Memory): string {
  const met = idleMiB !== null && idleMiB <= idleAimMiB ? 'met' : 'MISSED';
  return `listening after ${startMs.toFixed(0)} ms; memory idle ${mib(idleMiB)} (aim <= ${idleAimMiB} MiB ${met}), under load at most ${mib(peakMiB)}, half a minute later ${mib(afterMiB)}`;
}

function visitsLine(name: string, { answered, counted, underWay, exact }: Visits): string {
  return `${name}: ${answered} answered, ${counted} counted, at most ${underWay} under way at the ends: ${exact ? 'exact' : 'NOT EXACT'}`;
}

function mib(value: number | null): string {
  return value === null ? 'unknown' : `${value.toFixed(0)} MiB`;
}

/** Rows of cells as lines. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
