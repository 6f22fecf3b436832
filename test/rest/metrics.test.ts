// on both databases
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noteBackup } from '../../db/system/installation.js';
import { combined, metricsText, single } from '../../server/runtime/metrics/metric.js';
import { startServer, type TestServer } from '../harness.js';
import { ROOT } from '../support/root.js';

/** A line is a comment or a name, labels and a number. */
const LINE = /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[\d.e+-]+)$/;

const on = (env: Record<string, string>, work: (server: TestServer) => Promise<void>) => async () => {
  const server = await startServer(env);
  try {
    await work(server);
  } finally {
    await server.close();
  }
};

const access = suite('/metrics: access');

access(
  'without a token, callers on the same machine while BASE_URL is loopback',
  on({}, async (server) => {
    for (const path of ['//metrics', '/metrics', '//metrics/', '/metrics/']) {
      const { status, headers, text } = await server.request('GET', path);
      assert.is(status, 200);
      assert.match(headers.get('content-type') ?? '', 'text/plain; version=0.0.4');
      assert.equal(
        text
          .trimEnd()
          .split('\n')
          .filter((line) => !LINE.test(line)),
        [],
      );
    }
    const { status, headers } = await server.request('POST', '/metrics');
    assert.equal([status, headers.get('allow')], [405, 'HEAD, GET, OPTIONS']);
  }),
);

access(
  'without a token on a public host, nobody, and it answers like an unknown path',
  on({ BASE_URL: 'https://files.example.org' }, async (server) => {
    for (const path of ['//metrics', '/metrics', '//metrics/', '/metrics/']) {
      const { status, body } = await server.request('GET', path);
      assert.is(status, 404);
      assert.is(body.message, 'Resource not found');
    }
  }),
);

access(
  'without a token, not callers behind a trusted proxy',
  on({ TRUST_PROXY: 'true' }, async (server) => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    assert.is((await server.request('GET', '/metrics', { headers })).status, 404);
  }),
);

access(
  'with a token, every caller who sends it',
  on({ METRICS_TOKEN: 'sesame', BASE_URL: 'https://files.example.org' }, async (server) => {
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    assert.is((await server.request('GET', '/metrics', bearer('sesame'))).status, 200);
    assert.is((await server.request('GET', '//metrics?token=sesame')).status, 200);
    for (const refused of [
      await server.request('GET', '/metrics'),
      await server.request('GET', '/metrics', bearer('sesam')),
      await server.request('GET', '/metrics?token=open'),
    ]) {
      assert.is(refused.status, 401);
      assert.is(refused.body.error, true);
    }
  }),
);

access.run();

const content = suite('/metrics: content');

content(
  'requests since the first reading, items, jobs, memory',
  on({}, async (server) => {
    const read = async () => (await server.request('GET', '/metrics')).text;
    await read();
    const { body } = await server.request('POST', '/paste/create', {
      key: server.owner.key,
      json: { text: 'counted' },
    });
    await server.request('GET', `/paste/get/${body.uniqueId}`);
    const text = await read();
    assert.match(text, '{path="paste",status="2xx"} 1\n');
    assert.match(text, 'holdall_items{kind="pastes"} 1\n');
    assert.match(text, 'holdall_database_up 1\n');
    for (const name of ['process_resident_memory_bytes', 'holdall_hot_cache_bytes', 'holdall_database_bytes'])
      assert.match(text, new RegExp(`^${name} \\d+$`, 'm'));
  }),
);

content(
  'what the documents tell to watch is there, from the start on',
  on({}, async (server) => {
    const { text } = await server.request('GET', '/metrics');
    const named = new Set<string>();
    for (const file of [
      'docs/operations.md',
      'docs/scaling.md',
      'deploy/monitoring/holdall.rules.yml',
      'deploy/monitoring/grafana.json',
    ]) {
      const words = await readFile(join(ROOT, file), 'utf8');
      for (const [name] of words.matchAll(/\b(?:holdall|process|nodejs)_[a-z]+(?:_[a-z]+)+(?=[^\w.])/g))
        named.add(name);
    }
    assert.ok(named.size > 24);
    const absent = [...named].filter((name) => !text.includes(`\n${name}{`) && !text.includes(`\n${name} `));
    // There are no jobs and no backup yet, and this server receives no mail by SMTP.
    const only = ['holdall_jobs_oldest_seconds', 'holdall_mails_pending', 'holdall_backup_age_seconds'];
    assert.equal(
      absent.filter((name) => !only.includes(name)),
      [],
    );
    assert.match(text, '{path="paste",status="5xx"} 0\n');
    assert.match(text, 'holdall_http_limited_total 0\n');
    assert.match(text, 'holdall_store_up 1\n');
    assert.match(text, /^holdall_decoders_ended_total\{how="crashed"\} \d+$/m);
  }),
);

content(
  'the age of the last backup is told as soon as there was one',
  on({}, async (server) => {
    await noteBackup(server.app.services.db, Date.now() - 90_000);
    const { text } = await server.request('GET', '/metrics');
    const [, age] = /^holdall_backup_age_seconds (\S+)$/m.exec(text) ?? [];
    assert.ok(Number(age) >= 90 && Number(age) < 3_600, age);
  }),
);

content('values of several processes are summed up, or the maximum is taken', () => {
  const of = (value: number) => [
    single('added', 'Adds up.', value),
    single('largest', 'Largest.', value, { combine: 'max' }),
    single('own', 'Apart.', value, {}, { process: `"${value}"\n` }),
  ];
  assert.is(
    metricsText(combined([of(1), of(2)])),
    [
      '# HELP added Adds up.\n# TYPE added gauge\nadded 3\n',
      '# HELP largest Largest.\n# TYPE largest gauge\nlargest 2\n',
      '# HELP own Apart.\n# TYPE own gauge\nown{process="\\"1\\"\\n"} 1\nown{process="\\"2\\"\\n"} 2\n',
    ].join(''),
  );
});

content.run();
