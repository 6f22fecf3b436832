import { type CountryResponse, open } from 'maxmind';
import type { CountryOf } from '../../../routers/base/ports/geo.js';
import { ConfigError } from '../../shared/config-error.js';

/** Addresses whose country is kept in memory. */
const KEPT = 4_096;

/** Opens a database file (mmdb) of countries; without one no country is known. */
export async function openCountries(path: string | null): Promise<CountryOf> {
  if (path === null) return () => null;
  const reader = await open<CountryResponse>(path, { cache: { max: KEPT } }).catch((cause: Error) => {
    throw new ConfigError(`Holdall cannot start: GEO_DATABASE cannot be read: ${cause.message}`, { cause });
  });
  return (address) => {
    try {
      const found = reader.get(address);
      const code = found?.country?.iso_code ?? found?.registered_country?.iso_code ?? '';
      return /^[A-Z]{2}$/.test(code) ? code : null;
    } catch {
      // Not an address.
      return null;
    }
  };
}
