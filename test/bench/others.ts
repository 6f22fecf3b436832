import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/servers/server-process.js';
import { has, pinnedTo, SERVER_CORE, searchPath } from './processors.js';
import type { ReferenceSettings } from './reference.js';

/** A reference server. */
export interface Other {
  readonly pid: number;
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts the bare node:http server of `reference.ts` on the measured processor. */
export async function startReference(settings: ReferenceSettings): Promise<Other> {
  await mkdir(settings.received, { recursive: true });
  const child = pinnedSource('reference.ts', JSON.stringify(settings));
  const [port] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return {
    pid: child.pid ?? 0,
    origin: `http://127.0.0.1:${port.toString().trim()}`,
    stop: () => stop(child),
  };
}

/** Starts nginx with `sendfile` for the files below `root`; null if it is not installed. */
export const startNginx = (prefix: string, root: string): Promise<Other | null> =>
  nginxWith(prefix, (port) => `server { listen 127.0.0.1:${port}; root ${root}; }`, pinnedTo(SERVER_CORE));

/** Starts nginx in front of servers that take turns; null if it is not installed. */
export const startBalancer = (
  prefix: string,
  origins: readonly string[],
  wrap: readonly string[],
): Promise<Other | null> =>
  nginxWith(
    prefix,
    (
      port,
    ) => `upstream holdall { ${origins.map((origin) => `server ${new URL(origin).host};`).join(' ')} keepalive 128; }
       server {
         listen 127.0.0.1:${port};
         client_max_body_size 0;
         location / {
           proxy_pass http://holdall;
           proxy_http_version 1.1;
           proxy_set_header Connection "";
           proxy_set_header Host $http_host;
         }
       }`,
    wrap,
  );

async function nginxWith(
  prefix: string,
  settings: (port: number) => string,
  wrap: readonly string[],
): Promise<Other | null> {
  if (!has('nginx')) return null;
  const port = await freePort();
  await mkdir(prefix, { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    join(prefix, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${prefix}/pid; error_log ${prefix}/error.log;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 1024; }
     http {
       access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000000;
       ${temporary.map((name) => `${name}_temp_path ${prefix}/${name};`).join(' ')}
       ${settings(port)}
     }`,
  );
  const flags = ['-p', prefix, '-c', join(prefix, 'nginx.conf'), '-e', join(prefix, 'error.log')];
  const child = wrapped(wrap, 'nginx', flags);
  await reachable(port);
  return { pid: child.pid ?? 0, origin: `http://127.0.0.1:${port}`, stop: () => stop(child) };
}

/** Runs a source of this folder on the measured processor; its output is piped. */
export function pinnedSource(name: string, argument: string): ChildProcess {
  return wrapped(pinnedTo(SERVER_CORE), process.execPath, [
    '--import',
    'tsx',
    join(import.meta.dirname, name),
    argument,
  ]);
}

function wrapped(wrap: readonly string[], command: string, args: readonly string[]): ChildProcess {
  const [program = command, ...rest] = [...wrap, command, ...args];
  return spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'], env: searchPath() });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function reachable(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await delay(25);
  }
  throw new Error('nginx did not start');
}
