import { isIPv6 } from 'node:net';
import { open, type Reader, type Response } from 'maxmind';
import type { CountryOf } from '../../../routers/base/ports/geo.js';
import { ConfigError } from '../../shared/config-error.js';
import { countryIn, firstFieldOf } from './records.js';

/** Addresses whose country is kept in memory. */
const KEPT = 4_096;

/** What a database of countries is, for the log: its type, the day it was built, and the field that says the country. */
interface Countries {
  readonly type: string;
  readonly built: string | null;
  readonly field: string;
}

/** A database of countries; `about` is null without one. */
interface OpenCountries {
  readonly countryOf: CountryOf;
  readonly about: Countries | null;
}

/** Opens a database file (mmdb) of countries; without one no country is known. Throws `ConfigError` for any other file. */
export async function openCountries(path: string | null): Promise<OpenCountries> {
  if (path === null) return { countryOf: () => null, about: null };
  try {
    const reader = await open<Response>(path, { cache: { max: KEPT } });
    const field = firstFieldOf(reader);
    if (field === null) throw new Error('no record in it has the code of a country');
    const { databaseType, buildEpoch } = reader.metadata;
    const built = Number.isNaN(buildEpoch.getTime()) ? null : buildEpoch.toISOString().slice(0, 10);
    return { countryOf: countriesOf(reader), about: { type: databaseType, built, field } };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(
      `Holdall cannot start: GEO_DATABASE has to be an mmdb file with countries, such as those of ip-location-db, MaxMind GeoLite2, DB-IP Lite and IPinfo Lite: ${why}`,
      { cause },
    );
  }
}

function countriesOf(reader: Reader<Response>): CountryOf {
  const isOfIPv4 = reader.metadata.ipVersion === 4;
  return (address) => {
    // A tree of IPv4 would take the first bits of the address for one.
    if (isOfIPv4 && isIPv6(address)) return null;
    try {
      return countryIn(reader.get(address))?.country ?? null;
    } catch {
      // Not an address.
      return null;
    }
  };
}
