import { z } from 'zod';
import type { MailHeaders } from './normalise.js';

const text = z.string();
const pair = z.tuple([text, text]);
const line = z.object({ key: text, line: text }).transform(({ key, line: whole }) => {
  const value = whole.slice(whole.indexOf(':') + 1).replace(/\r?\n/g, '');
  return [key, value.trim()] as const;
});
const entry = z
  .object({ key: text.nullish(), name: text.nullish(), originalKey: text.nullish(), value: text })
  .transform(({ key, name, originalKey, value }) => [originalKey ?? name ?? key ?? '', value] as const);
/** What mailparser makes of an address or of a header with parameters. */
const structured = z
  .object({ text: text.nullish(), value: z.unknown() })
  .transform(({ text: shown, value }) => shown ?? (typeof value === 'string' ? value : ''));
const value = z.union([text, structured, z.unknown().transform(() => '')]);
const record = z
  .record(text, z.union([z.array(value), value]))
  .transform((named) =>
    Object.entries(named).flatMap(([name, values]) =>
      [values].flat().flatMap((one) => (one === '' ? [] : [[name, one] as const])),
    ),
  );
const list = z.union([z.array(z.union([pair, line, entry])), record]);

/**
 * The headers in any form that providers and libraries give them: pairs, objects with a name and a value, lines, an
 * object by name, the JSON of one of these, or the headers themselves as text. Null if it is something else.
 */
export function headersIn(given: unknown): MailHeaders | null {
  if (given === undefined || given === null || given === '') return [];
  if (typeof given !== 'string') return list.safeParse(given).data ?? null;
  if (!/^\s*[[{]/.test(given)) return linesIn(given);
  try {
    return list.safeParse(JSON.parse(given)).data ?? null;
  } catch {
    return null;
  }
}

function linesIn(block: string): MailHeaders | null {
  const lines = block
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .filter((one) => one !== '');
  const pairs = lines.map((one) => {
    const colon = one.indexOf(':');
    return colon < 1 ? null : ([one.slice(0, colon).trim(), one.slice(colon + 1).trim()] as const);
  });
  return pairs.every((one) => one !== null) ? pairs : null;
}
