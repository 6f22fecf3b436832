/** Passwords: hashes that other products made are checked, and no check keeps the process from its other work. */
import { performance } from 'node:perf_hooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { argon2id, createPasswords } from '../../server/drivers/secrets/passwords.js';

const test = suite('passwords');
/** As PHP, Node.js and Python write it. */
const VARIANTS = ['$2y$', '$2b$', '$2a$'];
const REST = '10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

test('bcrypt of every variant is checked, and marked as to be hashed anew', async () => {
  const passwords = createPasswords();
  for (const variant of VARIANTS) {
    const hash = `${variant}${REST}`;
    assert.is(await passwords.verify(hash, 'abc123xyz'), false, variant);
    assert.is(passwords.isForeign(hash), true, variant);
  }
  assert.is(passwords.isForeign(await passwords.hash('x')), false);
});

test('a check of bcrypt leaves the event loop free', async () => {
  const { hash } = await import('@node-rs/bcrypt');
  const costly = await hash('as it was', 12);
  const before = performance.eventLoopUtilization();
  assert.is(await argon2id.verify(costly, 'as it was'), true);
  assert.is(await argon2id.verify(costly, 'as it was not'), false);
  const { utilization } = performance.eventLoopUtilization(before);
  assert.ok(utilization < 0.5, `busy for ${utilization} of the time`);
});

test.run();
