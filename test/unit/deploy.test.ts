/** The files of deploy/ are read by programs that are not here: what can be checked of them is. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse, parseAllDocuments } from 'yaml';
import { has } from '../bench/processors.js';
import { type Manifest, openChart } from '../support/deploy/chart.js';
import { ROOT } from '../support/root.js';
import { skipping } from '../support/skip.js';

const read = (name: string) => readFile(join(ROOT, name), 'utf8');
const files = execFileSync('git', ['ls-files', 'deploy'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

const test = suite('deploy');

test('every file that names a version names that of the package', async () => {
  const { version } = JSON.parse(await read('package.json'));
  const named =
    /(?:holdall\/holdall:|appVersion: |app_version: |^version: '?"?|"version": ")(\d+\.\d+\.\d+)/gm;
  for (const name of files.filter((file) => /\.(ya?ml|toml|json)$/.test(file)))
    for (const [, found] of (await read(name)).matchAll(named)) assert.is(found, version, name);
});

test('YAML and JSON can be read', async () => {
  for (const name of files) {
    const text = await read(name);
    if (name.endsWith('.json')) JSON.parse(text);
    if (/\.ya?ml$/.test(name) && !name.includes('/templates/'))
      for (const document of parseAllDocuments(text)) assert.equal(document.errors, [], name);
  }
});

test('every variable that a file sets is one of Holdall', async () => {
  // The C library reads the first.
  const known = new Set<string | undefined>(['MALLOC_ARENA_MAX']);
  for (const [, name] of (await read('README.md')).matchAll(/`([A-Z][A-Z0-9_]+)`/g)) known.add(name ?? '');
  const set = (name: string, found: readonly (string | undefined)[]) => {
    assert.ok(found.length > 0, name);
    assert.equal(
      found.filter((variable) => !known.has(variable)),
      [],
      name,
    );
  };
  for (const name of files.filter(
    (file) => /\.(service|container|env)$/.test(file) && !file.endsWith('conf/systemd.service'),
  )) {
    const lines = (await read(name)).split('\n').filter((line) => /^Environment=|^[A-Z_]+=/.test(line));
    set(
      name,
      lines.flatMap((line) => [...line.matchAll(/([A-Z_0-9]+)=/g)].map(([, variable]) => variable)),
    );
  }
  for (const name of files.filter((file) => /docker-compose\.ya?ml$/.test(file))) {
    const services = Object.values<Manifest>(parse(await read(name)).services).filter(({ image }) => image);
    const names = services.flatMap(({ environment }) =>
      Array.isArray(environment)
        ? environment.filter((one) => one.includes('=')).map((one) => one.split('=')[0])
        : Object.keys(environment),
    );
    set(name, names);
  }
  set(
    'unraid',
    [...(await read('deploy/catalogues/unraid/holdall.xml')).matchAll(/Target="([A-Z_]+)"/g)].map(
      ([, name]) => name,
    ),
  );
});

test('systemd understands the units', async () => {
  if (!has('systemd-analyze')) return skipping('systemd-analyze is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'holdall-units-'));
  const units = files.filter((file) => file.startsWith('deploy/systemd/'));
  const copies = await Promise.all(
    units.map(async (name) => {
      const copy = join(folder, name.slice('deploy/systemd/'.length));
      // Where node is here, and a user that exists.
      const text = (await read(name))
        .replaceAll('/usr/bin/node', process.execPath)
        .replace('User=holdall', 'User=root')
        .replace(/^WorkingDirectory=.*/m, `WorkingDirectory=${ROOT}`);
      await writeFile(copy, text);
      return copy;
    }),
  );
  assert.is(units.length, 3);
  const said = execFileSync('systemd-analyze', ['verify', '--man=no', ...copies], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  assert.is(said, '');
});

test('HAProxy accepts its settings', async () => {
  if (!has('haproxy')) return skipping('haproxy is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'holdall-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  const text = await read('deploy/proxy/haproxy.cfg');
  await writeFile(file, text.replace(/ ssl crt \S+/, ''));
  execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' });
});

const chart = has('go') ? await openChart() : null;
const byKind = (manifests: Manifest[], kind: string): Manifest => manifests.find((one) => one.kind === kind);
const BASE = { baseUrl: 'https://files.example.org' };
const SHARED = {
  ...BASE,
  replicaCount: 3,
  secretKey: 'ab'.repeat(32),
  postgres: { url: 'postgres://holdall:pass@postgres/holdall' },
  s3: {
    endpoint: 'https://s3.example.org',
    bucket: 'files',
    accessKeyId: 'id',
    secretAccessKey: 'secret "1"',
  },
};

test('the chart gives one process with a volume by default, and nothing that was not asked for', async () => {
  if (chart === null) return skipping('go is not installed');
  const manifests = await chart(BASE);
  assert.equal(manifests.map(({ kind }) => kind).sort(), ['Secret', 'Service', 'StatefulSet']);
  const { spec } = byKind(manifests, 'StatefulSet');
  const [container] = spec.template.spec.containers;
  assert.is(spec.replicas, 1);
  assert.is(container.image, `ghcr.io/holdall/holdall:${JSON.parse(await read('package.json')).version}`);
  assert.equal(container.env, [
    { name: 'BASE_URL', value: 'https://files.example.org' },
    { name: 'TRUST_PROXY', value: 'true' },
  ]);
  assert.is(container.livenessProbe.httpGet.path, '/healthz');
  assert.is(container.readinessProbe.httpGet.path, '/readyz');
  assert.is(container.securityContext.readOnlyRootFilesystem, true);
  assert.is(spec.volumeClaimTemplates[0].spec.resources.requests.storage, '20Gi');
  const { selector, template } = spec;
  for (const [label, value] of Object.entries(selector.matchLabels))
    assert.is(template.metadata.labels[label], value);
  assert.equal(byKind(manifests, 'Service').spec.selector, selector.matchLabels);
});

test('the chart gives several processes with everything switched on', async () => {
  if (chart === null) return skipping('go is not installed');
  const manifests = await chart({
    ...SHARED,
    env: { WORKERS: 2 },
    envFromSecrets: ['more'],
    smtp: { enabled: true },
    ingress: {
      enabled: true,
      className: 'nginx',
      hosts: ['files.example.org', 'i.example.org'],
      tls: [{ secretName: 'tls', hosts: ['files.example.org'] }],
    },
    serviceMonitor: { enabled: true, tokenSecret: 'more', labels: { release: 'prometheus' } },
    autoscaling: { enabled: true },
    podDisruptionBudget: { enabled: true },
    persistence: { enabled: false },
    podAnnotations: { a: 'b' },
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'files', operator: 'Exists' }],
  });
  assert.equal(manifests.map(({ kind }) => kind).sort(), [
    'HorizontalPodAutoscaler',
    'Ingress',
    'PodDisruptionBudget',
    'Secret',
    'Service',
    'Service',
    'ServiceMonitor',
    'StatefulSet',
  ]);
  const { spec } = byKind(manifests, 'StatefulSet');
  assert.is(spec.replicas, undefined);
  assert.is(spec.volumeClaimTemplates, undefined);
  const pod = spec.template.spec;
  assert.equal(
    pod.volumes.map(({ name }: Manifest) => name),
    ['tmp', 'data'],
  );
  assert.equal(pod.nodeSelector, { disk: 'fast' });
  assert.equal(pod.tolerations, [{ key: 'files', operator: 'Exists' }]);
  const [container] = pod.containers;
  const env = Object.fromEntries(container.env.map(({ name, value }: Manifest) => [name, value]));
  assert.is(env.SMTP_LISTEN, '0.0.0.0:2525');
  assert.is(env.WORKERS, '2');
  assert.is(env.S3_BUCKET, 'files');
  assert.is(env.S3_SECRET_ACCESS_KEY, undefined);
  assert.equal(
    container.envFrom.map(({ secretRef }: Manifest) => secretRef.name),
    ['files-holdall', 'more'],
  );
  assert.is(byKind(manifests, 'Secret').stringData.S3_SECRET_ACCESS_KEY, 'secret "1"');
  const { rules } = byKind(manifests, 'Ingress').spec;
  assert.equal(
    rules.map(({ host }: Manifest) => host),
    ['files.example.org', 'i.example.org'],
  );
  assert.is(byKind(manifests, 'ServiceMonitor').metadata.labels.release, 'prometheus');
  assert.is(byKind(manifests, 'HorizontalPodAutoscaler').spec.scaleTargetRef.name, 'files-holdall');
});

test('the chart refuses what cannot work, and says why', async () => {
  if (chart === null) return skipping('go is not installed');
  const refused: [Record<string, unknown>, RegExp][] = [
    [{}, /baseUrl is required/],
    [{ ...BASE, replicaCount: 2 }, /several processes need PostgreSQL/],
    [{ ...BASE, autoscaling: { enabled: true } }, /several processes need PostgreSQL/],
    [{ ...SHARED, secretKey: '' }, /the same key/],
    [{ ...SHARED, s3: { ...SHARED.s3, bucket: '' } }, /s3.bucket is required/],
    [{ ...BASE, ingress: { enabled: true } }, /ingress.hosts is required/],
    [{ ...BASE, serviceMonitor: { enabled: true } }, /tokenSecret is required/],
  ];
  for (const [values, reason] of refused)
    await chart(values).then(
      () => assert.unreachable(String(reason)),
      (error: Error) => assert.match(error.message, reason),
    );
});

test.run();
