import type { Reader, Response } from 'maxmind';

/** Networks of a file that are looked at for a country, a microsecond or two each; small files have fewer. */
const LOOKED_AT = 100_000;

/** Where a record says its country; the first that is a code counts. */
const FIELDS = [
  ['country', 'iso_code'],
  ['country_code'],
  ['country'],
  ['registered_country', 'iso_code'],
] as const;

/**
 * The country of a record as a code of two letters, and the field that says it: `country.iso_code` (MaxMind, DB-IP),
 * `country_code` (ip-location-db, IPinfo Lite) or `country` (IPinfo); where an address is registered only if nothing says
 * where it is. Null if none does.
 */
export function countryIn(record: unknown): { readonly country: string; readonly field: string } | null {
  for (const path of FIELDS) {
    if (path[0] === 'registered_country' && valueAt(record, ['country']) !== undefined) continue;
    const value = valueAt(record, path);
    if (typeof value === 'string' && /^[a-z]{2}$/i.test(value))
      return { country: value.toUpperCase(), field: path.join('.') };
  }
  return null;
}

const valueAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (within, name) => (typeof within === 'object' && within !== null ? Reflect.get(within, name) : undefined),
    record,
  );

/** The field that says the country of the first network that has one; null if none of the first networks does. */
export function firstFieldOf(reader: Reader<Response>): string | null {
  const bits = reader.metadata.ipVersion === 4 ? 32 : 128;
  const end = 1n << BigInt(bits);
  let at = 0n;
  for (let seen = 0; seen < LOOKED_AT && at < end; seen += 1) {
    const [record, prefix] = reader.getWithPrefixLength(addressOf(at, bits));
    const found = countryIn(record);
    if (found !== null) return found.field;
    // A network is as large as its prefix leaves bits; the next one begins behind it.
    at += 1n << BigInt(bits - prefix);
  }
  return null;
}

/** An address as it is written. */
function addressOf(address: bigint, bits: 32 | 128): string {
  const digits = address.toString(16).padStart(bits / 4, '0');
  if (bits === 128) return digits.replace(/.{4}(?=.)/g, '$&:');
  return [0, 2, 4, 6].map((place) => Number.parseInt(digits.slice(place, place + 2), 16)).join('.');
}
