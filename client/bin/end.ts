const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** When something ends: a time that the server reads, or a span from now on such as `7d`. */
export function endOf(text: string | undefined): string | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text ?? '') ?? [];
  if (amount === undefined) return text;
  return new Date(Date.now() + Number(amount) * (UNITS[unit] ?? 0)).toISOString();
}
