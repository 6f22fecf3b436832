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
  const wrong = { COOKIE_SAMESITE: 'loose', PORT: 'x', RATE_LIMIT: 'maybe', BASE_URL: 'ftp://a.example' };
  assert.throws(
    () => readConfig(wrong),
    (error: Error) =>
      Object.keys(wrong).every((name) => error.message.includes(`\n  ${name}: `)) &&
      error.message.includes('lax, strict, none'),
  );
});

config.run();
