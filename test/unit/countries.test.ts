/** Databases of countries: every usual layout is read, the log learns which, and any other file stops the start. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCountries } from '../../server/drivers/geo/index.js';
import { ConfigError } from '../../server/shared/config-error.js';
import { type MmdbValue, mmdb } from '../support/stores/mmdb.js';

const test = suite<{ folder: string }>('databases of countries');
test.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'holdall-geo-'));
});
test.after(({ folder }) => rm(folder, { recursive: true }));

async function stored(folder: string, bytes: Buffer | string): Promise<string> {
  const path = join(folder, 'countries.mmdb');
  await writeFile(path, bytes);
  return path;
}

const names = { en: 'Czechia', de: 'Tschechien' };
const LAYOUTS: readonly (readonly [source: string, field: string, record: MmdbValue])[] = [
  [
    'MaxMind and DB-IP',
    'country.iso_code',
    {
      country: { geoname_id: 3_077_311, iso_code: 'CZ', names },
      registered_country: { iso_code: 'DE', names },
    },
  ],
  [
    'MaxMind, only registered',
    'registered_country.iso_code',
    { registered_country: { iso_code: 'CZ', names } },
  ],
  ['ip-location-db', 'country_code', { country_code: 'CZ' }],
  ['IPinfo', 'country', { continent: 'EU', country: 'CZ', country_name: 'Czechia' }],
  ['IPinfo Lite', 'country_code', { asn: 'AS1', country: 'Czechia', country_code: 'CZ' }],
  ['small letters', 'country_code', { country_code: 'cz' }],
];

for (const [source, field, record] of LAYOUTS)
  for (const ipVersion of [4, 6] as const)
    test(`${source}, IPv${ipVersion}: the country is found, and how`, async ({ folder }) => {
      const built = Date.UTC(2026, 1, 3) / 1000;
      const bytes = mmdb({ '198.51.100.0/24': record }, { ipVersion, type: source, built });
      const { countryOf, about } = await openCountries(await stored(folder, bytes));
      assert.equal(about, { type: source, built: '2026-02-03', field });
      assert.equal(['198.51.100.77', '198.51.101.1', 'nowhere'].map(countryOf), ['CZ', null, null]);
    });

test('addresses of IPv6 have countries, and none in a file of IPv4 alone', async ({ folder }) => {
  const record = { country_code: 'SK' };
  const both = await openCountries(
    await stored(folder, mmdb({ '2001:db8::/32': record, '32.0.0.0/8': record })),
  );
  assert.equal(['2001:db8::7', '2001:db9::7', '32.1.2.3'].map(both.countryOf), ['SK', null, 'SK']);
  const old = await openCountries(await stored(folder, mmdb({ '32.0.0.0/8': record }, { ipVersion: 4 })));
  assert.equal(['2001:db8::7', '32.1.2.3'].map(old.countryOf), [null, 'SK']);
});

test('a file with a single address anywhere is one, also behind records without a country', async ({
  folder,
}) => {
  const record = { country_code: 'NZ' };
  for (const network of [
    '0.0.0.0/32',
    '203.0.113.9/32',
    '::1:0:0:0/128',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128',
  ]) {
    const { about } = await openCountries(await stored(folder, mmdb({ [network]: record })));
    assert.is(about?.field, 'country_code', network);
  }
  const mixed = mmdb({
    '1.0.0.0/8': { country: { names } },
    '2.0.0.0/8': { country: '' },
    '3.0.0.0/8': record,
  });
  const { countryOf } = await openCountries(await stored(folder, mixed));
  assert.equal(['1.1.1.1', '2.2.2.2', '3.3.3.3'].map(countryOf), [null, null, 'NZ']);
});

test('a file that has no countries, or is no such file, stops the start with a sentence', async ({
  folder,
}) => {
  const whole = mmdb({ '1.0.0.0/8': { country_code: 'AU' }, '2.0.0.0/8': { country_code: 'FR' } });
  const files: Readonly<Record<string, Buffer | string>> = {
    'no record': mmdb({}),
    'systems, not countries': mmdb({ '1.0.0.0/8': { autonomous_system_number: 1 } }, { type: 'ASN' }),
    'names, not codes': mmdb({ '1.0.0.0/8': { country: 'Australia' } }),
    'where it is is not known': mmdb({
      '1.0.0.0/8': { country: { names }, registered_country: { iso_code: 'AU' } },
    }),
    'a table': 'network,country\n1.0.0.0/8,AU\n',
    nothing: '',
    'the first half': whole.subarray(0, whole.length / 2),
    compressed: Buffer.from('1f8b0800000000000003', 'hex'),
  };
  const refused = async (path: string, what: string) => {
    const error = await openCountries(path).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, ConfigError, what);
    assert.match(
      String(error),
      /GEO_DATABASE has to be an mmdb file with countries, such as .*ip-location-db.*GeoLite2.*DB-IP.*IPinfo/,
    );
  };
  for (const [what, bytes] of Object.entries(files)) await refused(await stored(folder, bytes), what);
  await refused(join(folder, 'absent.mmdb'), 'absent');
  await refused(folder, 'a folder');
});

test('without a file no country is known', async () => {
  const { countryOf, about } = await openCountries(null);
  assert.equal([countryOf('8.8.8.8'), about], [null, null]);
});

test.run();
