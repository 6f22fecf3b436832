import { language } from '../speech.js';

/** Shorter stretches say nothing of a connection. */
const MIN_MS = 2_000;
const [MINUTE, HOUR] = [60, 3_600];

/** How long what is left will take at the pace so far, in words; "" as long as nobody can know. */
export function timeLeft(sent: number, total: number, elapsedMs: number): string {
  if (elapsedMs < MIN_MS || sent <= 0) return '';
  const seconds = ((total - sent) / sent) * (elapsedMs / 1000);
  if (seconds < MINUTE) return inUnits(Math.max(1, Math.round(seconds)), 'second');
  if (seconds < HOUR) return inUnits(Math.round(seconds / MINUTE), 'minute');
  return inUnits(Math.round(seconds / HOUR), 'hour');
}

const inUnits = (value: number, unit: 'second' | 'minute' | 'hour'): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
