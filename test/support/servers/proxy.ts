import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { has, searchPath } from '../../bench/processors.js';
import { ROOT } from '../root.js';
import { skipping } from '../skip.js';
import { until } from '../until.js';
import { freePort } from './server-process.js';

/** A proxy whose configuration is in deploy/proxy. */
export interface DocumentedProxy {
  readonly name: 'nginx' | 'caddy' | 'haproxy';
  /** The settings of the file, for a plain port here and a server at `upstream` (host and port). */
  settings(port: number, upstream: string, folder: string): Promise<string>;
  command(file: string, folder: string): readonly string[];
}

/** A file of deploy/proxy. */
const settingsIn = (file: string): Promise<string> => readFile(join(ROOT, 'deploy', 'proxy', file), 'utf8');

/** What a proxy needs to send files of this folder. */
const sendingFiles = async (file: string, dataDir: string): Promise<string> =>
  (await settingsIn(file)).replaceAll('/var/lib/holdall', dataDir);

/** The documented proxies that send files of the server, which has them in this folder. */
export const acceleratingProxies: readonly (Pick<DocumentedProxy, 'name'> & {
  over(dataDir: string): DocumentedProxy;
})[] = [
  {
    name: 'nginx',
    over: (dataDir) =>
      withSettings('nginx', async (settings) => {
        const location = await sendingFiles('nginx-accel.conf', dataDir);
        const marked = settings.replace(
          /( *)proxy_set_header Host.*\n/,
          '$&$1proxy_set_header X-Accel-Ready 1;\n',
        );
        return marked.replace(/^ {2}location \/ \{/m, `${location}$&`);
      }),
  },
  {
    name: 'caddy',
    over: (dataDir) =>
      withSettings('caddy', async (settings) =>
        settings.replace(/^\t\tlb_try_duration.*\n/m, `$&${await sendingFiles('caddy-accel.conf', dataDir)}`),
      ),
  },
];

function withSettings(
  name: DocumentedProxy['name'],
  change: (settings: string) => Promise<string>,
): DocumentedProxy {
  const proxy = documentedProxies.find((one) => one.name === name);
  if (proxy === undefined) throw new TypeError(`no proxy ${name}`);
  return { ...proxy, settings: async (...args) => change(await proxy.settings(...args)) };
}

/** A running proxy. */
export interface RunningProxy {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A file of deploy/proxy, with another server inserted. */
const documented = async (file: string, upstream: string): Promise<string> =>
  (await settingsIn(file)).replaceAll('127.0.0.1:8012', upstream);

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** The documented proxies, without TLS and automatic certificates. */
export const documentedProxies: readonly DocumentedProxy[] = [
  {
    name: 'nginx',
    settings: async (port, upstream, folder) => {
      const server = (await documented('nginx.conf', upstream)).replace(/^ *ssl_.*\n/gm, '');
      return `daemon off; pid ${folder}/pid; error_log stderr;
        ${process.getuid?.() === 0 ? 'user root;' : ''}
        events {}
        http {
          access_log off;
          ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
          ${server.replace('listen 443 ssl', `listen 127.0.0.1:${port}`)}
        }`;
    },
    command: (file, folder) => ['nginx', '-p', folder, '-c', file, '-e', 'stderr'],
  },
  {
    name: 'caddy',
    settings: async (port, upstream) =>
      `{\n\tadmin off\n}\n${(await documented('Caddyfile', upstream)).replace('files.example.org', `http://127.0.0.1:${port}`)}`,
    command: (file) => ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
  },
  {
    name: 'haproxy',
    settings: async (port, upstream) =>
      (await settingsIn('haproxy.cfg'))
        .replace(/bind .*/, `bind 127.0.0.1:${port}`)
        .replaceAll('10.0.0.2:8012', upstream)
        .replace(/^\tserver b .*\n/gm, ''),
    command: (file) => ['haproxy', '-db', '-f', file],
  },
];

/** Nobody's account, with the group of this process: as a proxy that was made a member of it. */
const ANOTHER_MEMBER = { uid: 65_534, gid: process.getgid?.() ?? 65_534 };

/**
 * Starts a documented proxy in front of a server; null, with a skip line, if it is not installed. `asMember` starts it
 * as another user who is in the group of this process, which only root can do.
 */
export async function startProxy(
  { name, settings, command }: DocumentedProxy,
  origin: string,
  folder: string,
  { asMember = false } = {},
): Promise<RunningProxy | null> {
  if (!has(name)) {
    skipping(`${name} is not installed`);
    return null;
  }
  const port = await freePort();
  const file = join(folder, `${name}.conf`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, await settings(port, new URL(origin).host, folder));
  const [program = '', ...args] = command(file, folder);
  const other = asMember && process.getuid?.() === 0 ? ANOTHER_MEMBER : null;
  if (other !== null) await chown(folder, other.uid, other.gid);
  const child = spawn(program, args, {
    ...other,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...searchPath(), HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  });
  const complaints = text(child.stderr);
  const ended = once(child, 'close');
  const here = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name}: ${await complaints}`);
    return fetch(here).then(
      () => true,
      () => false,
    );
  });
  return {
    origin: here,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
