import { UsageError } from './command.js';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * When something ends: a time that the server reads, or a span from now on such as `7d`. Throws `UsageError` for a span
 * in other units.
 */
export function endOf(text: string | undefined): string | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text ?? '') ?? [];
  if (amount === undefined) {
    if (/^\d+[a-z]$/i.test(text ?? '')) throw new UsageError(`"${text}" is no span: use 30m, 12h, 7d or 4w`);
    return text;
  }
  return new Date(Date.now() + Number(amount) * (UNITS[unit] ?? 0)).toISOString();
}
