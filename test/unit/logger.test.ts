/** What the log of a process shows, and what it redacts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redactUrl } from '../../server/runtime/logger.js';

const logger = suite('logger');
const run = promisify(execFile);

/** The line that logging this expression writes. */
async function lineOf(details: string): Promise<Record<string, unknown>> {
  const module = JSON.stringify(new URL('../../server/runtime/logger.js', import.meta.url).href);
  const script = `import { createLogs } from ${module};
    const logs = createLogs('info');
    logs.log.warn(${details}, 'a line');
    logs.flush();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout);
}

logger('redacts codes, passwords, keys and tokens', async () => {
  const secret = "{ code: '123456', password: 'a', apiKey: 'b', token: 'c' }";
  const blank = { code: '[redacted]', password: '[redacted]', apiKey: '[redacted]', token: '[redacted]' };
  const { input, ...rest } = await lineOf(`{ ...${secret}, input: ${secret} }`);
  assert.equal(input, blank);
  for (const [name, value] of Object.entries(blank)) assert.is(rest[name], value, name);
});

logger('shows what failed and where for an error, and none of its other fields', async () => {
  const carried = "{ code: '28P01', table: 'users', token: 'c', bindings: ['c'], detail: 'Key (email)=(c)' }";
  const { err } = await lineOf(`{ err: Object.assign(new Error('no'), ${carried}) }`);
  const { stack, ...rest } = err as Record<string, unknown>;
  assert.match(String(stack), /^Error: no\n/);
  assert.equal(rest, { type: 'Error', message: 'no', table: 'users', failure: '28P01' });
});

logger('shows every cause of an aggregate error', async () => {
  const { err } = await lineOf("{ err: new AggregateError([new Error('one'), new Error('two')]) }");
  const { errors } = err as { errors: { message: string }[] };
  assert.equal(
    errors.map(({ message }) => message),
    ['one', 'two'],
  );
});

logger('URLs are logged without secrets, and without return addresses that may hold one', () => {
  assert.is(redactUrl('/v1/user/get/a.b+c@example.com?x=1'), '/v1/user/get/[address]?x=1');
  assert.is(
    redactUrl('/web/mailboxes/a%40example.com/message?id=2'),
    '/web/mailboxes/[address]/message?id=2',
  );
  assert.is(redactUrl('/v1/email/getinfo?email=a@example.com&x=1'), '/v1/email/getinfo?email=[address]&x=1');
  assert.is(redactUrl('/v1/user/get/@me/keys?x=%40me'), '/v1/user/get/@me/keys?x=%40me');
  for (const kind of ['image', 'paste', 'collection'])
    assert.is(redactUrl(`/v1/${kind}/shared/abc?raw=true`), `/v1/${kind}/shared/[redacted]?raw=true`);
  assert.is(redactUrl('/v1/x?page=2&password=open'), '/v1/x?page=2&password=[redacted]');
  assert.is(redactUrl('/v1/x?password[]=open'), '/v1/x?password[]=[redacted]');
  assert.is(redactUrl('/web/oembed?url=https%3A%2F%2Fa%2Fb%3Fpassword%3Dx'), '/web/oembed?url=[redacted]');
  assert.is(redactUrl('/web/login?next=%2Fa%3Fcode%3Dabc&x=1'), '/web/login?next=[redacted]&x=1');
  assert.is(redactUrl('/v1/x?%6Bey=abc&page=2%'), '/v1/x?%6Bey=[redacted]&page=2%');
  assert.is(redactUrl('/v1/admin/invite/abc?page=2'), '/v1/admin/invite/[redacted]?page=2');
});

logger('keys and secrets are not logged where clients of other products send them', () => {
  assert.is(
    redactUrl('/yourls-api.php?Signature=abc&action=stats'),
    '/yourls-api.php?Signature=[redacted]&action=stats',
  );
  assert.is(
    redactUrl('/yourls-api.php?username=a&password=abc'),
    '/yourls-api.php?username=a&password=[redacted]',
  );
  assert.is(redactUrl('/upload?key=abc'), '/upload?key=[redacted]');
  assert.is(redactUrl('/api/1/upload?key=abc&source=aGk='), '/api/1/upload?key=[redacted]&source=[redacted]');
  assert.is(redactUrl('/ID?token=abc'), '/ID?token=[redacted]');
  assert.is(redactUrl(`/3/image/ID.${'a'.repeat(64)}`), '/3/image/[redacted]');
});

logger('a secret in a path is not logged, in whatever case its route is called', () => {
  assert.is(redactUrl('/v1/chatapp/TOKEN/abc'), '/v1/chatapp/TOKEN/[redacted]');
  assert.is(redactUrl('/V1/Admin/INVITE/abc'), '/V1/Admin/INVITE/[redacted]');
});

logger.run();
