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

/** A proxy whose configuration is in docs/operations.md. */
export interface DocumentedProxy {
  readonly name: 'nginx' | 'caddy';
  /** The settings from the document, for a plain port here and a server at `upstream` (host and port). */
  settings(port: number, upstream: string, folder: string): Promise<string>;
  command(file: string, folder: string): readonly string[];
}

/** The block of a language in the part of the document about files that the proxy sends, for files in this folder. */
async function sendingFiles(language: string, dataDir: string): Promise<string> {
  const page = await readFile(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const part = page.slice(page.indexOf('## Files sent by the proxy'));
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(part)?.[1] ?? '';
  return block.replaceAll('/var/lib/holdall', dataDir);
}

/** The documented proxies that send files of the server, which has them in this folder. */
export const acceleratingProxies: readonly (Pick<DocumentedProxy, 'name'> & {
  over(dataDir: string): DocumentedProxy;
})[] = [
  {
    name: 'nginx',
    over: (dataDir) =>
      withSettings('nginx', async (settings) => {
        const location = await sendingFiles('nginx', dataDir);
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
        settings.replace(/^\t\tlb_try_duration.*\n/m, `$&${await sendingFiles('caddy', dataDir)}`),
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

/** The content of a fenced block of this language in the document, with another server inserted. */
async function documented(language: string, upstream: string): Promise<string> {
  const page = await readFile(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';
  return block.replaceAll('127.0.0.1:8012', upstream);
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** The documented proxies, without TLS and automatic certificates. */
export const documentedProxies: readonly DocumentedProxy[] = [
  {
    name: 'nginx',
    settings: async (port, upstream, folder) => {
      const server = (await documented('nginx', upstream)).replace(/^ *ssl_.*\n/gm, '');
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
      `{\n\tadmin off\n}\n${(await documented('caddy', upstream)).replace('files.example.org', `http://127.0.0.1:${port}`)}`,
    command: (file) => ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
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
