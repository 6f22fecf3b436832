import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { readConfig } from '../../server/runtime/config/config.js';
import { environment, VARIABLES } from '../../server/runtime/config/variables.js';
import { ROOT } from '../support/root.js';

const config = suite('configuration');

config('enum values are case-insensitive', () => {
  const read = readConfig({
    COOKIE_SAMESITE: 'None',
    REGISTRATION: 'OPEN',
    MAIL_TRANSPORT: 'Outbox',
    LOG_LEVEL: 'WARN',
    S3_REDIRECT: 'True',
    RATE_LIMIT: 'OFF',
  });
  assert.is(read.cookies.sameSite, 'none');
  assert.is(read.registration, 'open');
  assert.is(read.logLevel, 'warn');
  assert.is(read.rateLimit, false);
});

config('one message names every invalid variable and its allowed values', () => {
  const wrong = {
    COOKIE_SAMESITE: 'loose',
    PORT: 'x',
    RATE_LIMIT: 'maybe',
    BASE_URL: 'ftp://a.example',
    CORS_ORIGINS: 'https://a.example,https://*.example',
    OUTBOUND_ALLOW: '10.0.0.0/8,nonsense',
    MAIL_FROM: 'nobody',
  };
  assert.throws(
    () => readConfig(wrong),
    (error: Error) =>
      Object.keys(wrong).every((name) => error.message.includes(`\n  ${name}: `)) &&
      error.message.includes('lax, strict, none') &&
      error.message.includes('nonsense'),
  );
});

config('an address of a database that cannot be read is named, with what to do', () => {
  for (const address of [
    'postgres://user:pa#ss@host/db',
    'postgres://user@one,two:5432/db',
    'postgres://user@/db?host=/run/postgresql',
    'postgres://user@host:port/db',
  ])
    assert.throws(
      () => readConfig({ DATABASE_URL: address }),
      (error: Error) => error.message.includes('\n  DATABASE_URL: ') && error.message.includes('%23'),
    );
  assert.ok(readConfig({ DATABASE_URL: 'postgres://user:pa%23ss@host/db' }).databaseUrl);
  assert.ok(readConfig({ DATABASE_URL: 'postgres://user@localhost/db?host=/run/postgresql' }).databaseUrl);
});

config('the message names missing variables along with invalid ones', () => {
  assert.throws(
    () => readConfig({ PORT: 'x', MAIL_TRANSPORT: 'SMTP', S3_BUCKET: 'b', OWNER_EMAIL: 'o@home' }),
    (error: Error) =>
      ['PORT', 'SMTP_URL', 'S3_ENDPOINT', 'OWNER_USERNAME', 'OWNER_PASSWORD'].every((name) =>
        error.message.includes(`\n  ${name}: `),
      ),
  );
});

config('unusable addresses and domains are refused at startup', () => {
  const wrong: Record<string, readonly string[]> = {
    HOST: ['a host', 'http://a.example', '127.0.0.1/8'],
    BASE_URL: ['https://me:secret@a.example', 'https://a.example/?x=1', 'https://a.example/sub'],
    COOKIE_DOMAIN: ['https://a.example', 'a.example:443', 'a b', '*.example'],
    MAILGUN_DOMAIN: ['https://mg.example', 'me@mg.example', '.mg.example'],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      assert.throws(
        () => readConfig({ [name]: value }),
        new RegExp(`\\n  ${name}: must be`),
        `${name}=${value}`,
      );
  for (const HOST of ['::', '::1', 'fe80::1%eth0', '0.0.0.0', 'localhost', 'holdall_1'])
    assert.is(readConfig({ HOST }).host, HOST);
  const right = {
    BASE_URL: 'https://A.example:8443/',
    COOKIE_DOMAIN: '.a.example',
    MAILGUN_DOMAIN: 'Mg.a.Example',
  };
  assert.is(readConfig(right).origin, 'https://a.example:8443');
  // In the form in which addresses are compared.
  assert.is(readConfig(right).mail.domains[0], 'mg.a.example');
  // A proxy may add a path of its own in front.
  assert.is(readConfig({ SHORT_URL_URL: 'https://s.example/r/' }).shortUrls.url, 'https://s.example/r');
  // On the main host, ids are below /r.
  const BASE_URL = 'https://a.example';
  for (const [SHORT_URL_URL, taken] of [
    ['https://a.example', null],
    ['http://A.example/', null],
    ['https://a.example/r', 'https://a.example/r'],
    ['https://a.example:8443', 'https://a.example:8443'],
  ] as const)
    assert.is(readConfig({ BASE_URL, SHORT_URL_URL }).shortUrls.url, taken, SHORT_URL_URL);
});

config('incomplete pairs of settings are refused, whichever half is missing', () => {
  for (const [given, lacks] of [
    ['CHATAPP_CLIENT_SECRET', 'CHATAPP_CLIENT_ID'],
    ['S3_ACCESS_KEY_ID', 'S3_ENDPOINT'],
    ['S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT'],
  ] as const)
    assert.throws(() => readConfig({ [given]: 'x' }), new RegExp(`${lacks}: is required with ${given}`));
});

config('an owner key that is guessable or shown by an empty field is refused', () => {
  for (const OWNER_API_KEY of ['   ', 'short', 'with some spaces', 'schlüssel-schlüssel'])
    assert.throws(() => readConfig({ OWNER_API_KEY }), /OWNER_API_KEY: must have at least 8 characters/);
});

config('origins are read in the form that browsers send, including those of applications', () => {
  const { corsOrigins } = readConfig({ CORS_ORIGINS: 'https://A.example:443/, app://local , http://b:3000' });
  assert.equal(corsOrigins, ['https://a.example', 'app://local', 'http://b:3000']);
  for (const CORS_ORIGINS of ['*', 'a.example', 'https://a.example/path', 'https://a.example?x'])
    assert.throws(() => readConfig({ CORS_ORIGINS }), /CORS_ORIGINS: .* is not an origin/, CORS_ORIGINS);
});

config('the README lists every variable once, with the default that it has, and no others', async () => {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8');
  const section = text.slice(text.indexOf('\n## Configuration')).split('\n## ', 2)[1] ?? '';
  const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const said = rows.flatMap(([, names = '', usual = '']) =>
    (names.match(/(?<=`)[A-Z][A-Z0-9_]+(?=`)/g) ?? []).map((name) => [name, usual] as const),
  );
  assert.equal(said.map(([name]) => name).sort(), [...VARIABLES].sort());
  const usualOf = new Map(said);
  for (const [name, schema] of Object.entries(environment.shape)) {
    const declared = schema instanceof z.ZodDefault ? schema.def.defaultValue : '';
    // `on` and `true` are the same.
    const words = declared === true ? ['`true`', '`on`'] : [`\`${declared}\``];
    const isSaid = words.some((word) => usualOf.get(name)?.includes(word));
    assert.ok(isSaid || String(declared) === '' || typeof declared === 'object', `${name}: ${declared}`);
  }
});

config.run();
