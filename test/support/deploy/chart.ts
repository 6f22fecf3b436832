import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../root.js';

const CHART = join(ROOT, 'deploy', 'helm', 'holdall');
const read = (...path: string[]): string => readFileSync(join(CHART, ...path), 'utf8');

/** An object of Kubernetes, as far as the tests look into it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any depth of it.
export type Manifest = any;

/** Renders the chart as `helm template` does, with Go's own templates, and some of its values changed. */
export async function openChart(): Promise<(changes: Record<string, unknown>) => Promise<Manifest[]>> {
  const program = join(mkdtempSync(join(tmpdir(), 'holdall-chart-')), 'render');
  const source = join(ROOT, 'test', 'support', 'deploy', 'render.go');
  execFileSync('go', ['build', '-o', program, source], {
    env: { ...process.env, GOCACHE: join(tmpdir(), 'go-build'), GO111MODULE: 'off' },
  });
  const { appVersion, version, name } = parse(read('Chart.yaml'));
  const templates = Object.fromEntries(
    readdirSync(join(CHART, 'templates')).map((file) => [file, read('templates', file)]),
  );
  return async (changes) => {
    const input = JSON.stringify({
      values: merged(parse(read('values.yaml')), changes),
      chart: { Name: name, Version: version, AppVersion: appVersion },
      release: { Name: 'files', Namespace: 'default', Service: 'Helm' },
      templates,
    });
    const child = execFile(program);
    child.stdin?.end(input);
    const [out, complaint] = await Promise.all([
      text(child.stdout ?? process.stdin),
      text(child.stderr ?? process.stdin),
    ]);
    if (complaint !== '') throw new Error(complaint);
    const rendered: Record<string, string> = JSON.parse(out);
    return Object.entries(rendered)
      .filter(([file]) => file.endsWith('.yaml'))
      .flatMap(([, page]) => parseAllDocuments(page).map((document) => document.toJS({ mapAsMap: false })))
      .filter((manifest) => manifest !== null);
  };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (
  values: Record<string, unknown>,
  changes: Record<string, unknown>,
): Record<string, unknown> => ({
  ...values,
  ...Object.fromEntries(
    Object.entries(changes).map(([name, change]) => {
      const own = values[name];
      return [name, isMap(own) && isMap(change) ? merged(own, change) : change];
    }),
  ),
});
