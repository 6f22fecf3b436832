import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../server/config.js';

const config = suite('configuration');

config('words of a fixed set are read in any case', () => {
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

config('one message names every wrong variable and what it may be', () => {
  const wrong = {
    COOKIE_SAMESITE: 'loose',
    PORT: 'x',
    RATE_LIMIT: 'maybe',
    BASE_URL: 'ftp://a.example',
    CORS_ORIGINS: 'https://a.example,b.example',
    OUTBOUND_ALLOW: '10.0.0.0/8,nonsense',
    MAIL_FROM: 'nobody',
    OWNER_USERNAME: 'a b',
    OWNER_EMAIL: 'nobody',
    OWNER_PASSWORD: 'short',
  };
  assert.throws(
    () => readConfig(wrong),
    (error: Error) =>
      Object.keys(wrong).every((name) => error.message.includes(`\n  ${name}: `)) &&
      error.message.includes('lax, strict, none') &&
      error.message.includes('nonsense'),
  );
});

config('names with what is wrong also what lacks', () => {
  assert.throws(
    () => readConfig({ PORT: 'x', MAIL_TRANSPORT: 'SMTP', S3_BUCKET: 'b', OWNER_EMAIL: 'o@home' }),
    (error: Error) =>
      ['PORT', 'SMTP_URL', 'S3_ENDPOINT', 'OWNER_USERNAME', 'OWNER_PASSWORD'].every((name) =>
        error.message.includes(`\n  ${name}: `),
      ),
  );
});

config('takes an owner of a network of its own, and several origins', () => {
  const owner = { OWNER_USERNAME: 'owner', OWNER_EMAIL: 'owner@home', OWNER_PASSWORD: 'eight to go' };
  const read = readConfig({ ...owner, CORS_ORIGINS: 'https://a.example/, http://localhost:3000' });
  assert.is(read.owner?.email, 'owner@home');
  assert.equal(read.corsOrigins, ['https://a.example', 'http://localhost:3000']);
});

config.run();
