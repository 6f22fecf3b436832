import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Holdall } from './holdall.js';
import type { Request } from './load.js';
import { startNginx, startReference } from './others.js';
import type { Samples } from './samples.js';

/** Holdall and what it is compared with at one task. Ratios are Holdall's rate over the other's. */
export interface Case {
  readonly name: string;
  readonly subject: Request;
  readonly references: readonly {
    readonly label: string;
    readonly request: Request;
    /** The ratio to reach; null when it is only shown. */
    readonly aim: number | null;
  }[];
  /** Tidies up after a run, outside the measured time. */
  after?(): Promise<void>;
}

/** The cases, and what they leave running. */
export interface Bench {
  readonly cases: readonly Case[];
  readonly linkId: string;
  stop(): Promise<void>;
}

/** Fills the server under measurement, starts the references over the very same bytes, and names the cases. */
export async function prepareCases(holdall: Holdall, samples: Samples, folder: string): Promise<Bench> {
  const base = `${holdall.server.origin}/v1`;
  const linkId = await holdall.shorten('https://example.org/');
  const small = `${base}/image/get/${await holdall.upload(samples.jpeg.file, 'sample.jpg')}`;
  const large = `${base}/image/get/${await holdall.upload(samples.largeImage, 'large.png')}`;
  const paste = `${base}/paste/get/${await holdall.paste('All work and no play makes Jack a dull boy.\n'.repeat(93))}`;

  const [smallFile, largeFile, answer] = await Promise.all([
    keep(small, join(folder, 'served-small')),
    keep(large, join(folder, 'served-large')),
    keep(paste, join(folder, 'served-paste')),
  ]);
  const received = join(folder, 'received');
  const bare = await startReference({
    files: { '/small': smallFile, '/large': largeFile },
    answer,
    folder: received,
  });
  const nginx = await startNginx(folder, smallFile);

  const get = (server: { readonly pid: number }, url: string, connections: number): Request => ({
    pid: server.pid,
    url,
    connections,
  });
  const upload = (server: { readonly pid: number }, body: Samples['jpeg'], url: string): Request => ({
    pid: server.pid,
    url,
    connections: 16,
    upload: body,
    apiKey: holdall.apiKey,
  });
  const uploads = (name: string, body: Samples['jpeg']): Case => ({
    name,
    subject: upload(holdall.server, body, `${base}/image/upload`),
    references: [
      { label: 'write + fsync + rename', request: upload(bare, body, `${bare.origin}/receive`), aim: 0.5 },
    ],
    after: () => empty(received),
  });

  return {
    linkId,
    cases: [
      {
        name: 'redirect, counted',
        subject: get(holdall.server, `${base}/url/r/${linkId}`, 64),
        references: [{ label: 'bare 301', request: get(bare, `${bare.origin}/redirect`, 64), aim: 0.3 }],
      },
      {
        name: 'image, 100 KB',
        subject: get(holdall.server, small, 32),
        references: [
          ...(nginx === null
            ? []
            : [{ label: 'nginx', request: get(nginx, `${nginx.origin}/served-small`, 32), aim: 0.5 }]),
          { label: 'bare stream', request: get(bare, `${bare.origin}/small`, 32), aim: null },
        ],
      },
      {
        name: 'image, 5 MB',
        subject: get(holdall.server, large, 8),
        references: [
          ...(nginx === null
            ? []
            : [{ label: 'nginx', request: get(nginx, `${nginx.origin}/served-large`, 8), aim: 0.6 }]),
          { label: 'bare stream', request: get(bare, `${bare.origin}/large`, 8), aim: null },
        ],
      },
      uploads('upload, 100 KB JPEG', samples.jpeg),
      uploads('upload, 100 KB file', samples.binary),
      {
        name: 'paste, 4 KB',
        subject: get(holdall.server, paste, 64),
        references: [{ label: 'bare answer', request: get(bare, `${bare.origin}/answer`, 64), aim: 0.3 }],
      },
    ],
    stop: async () => {
      await Promise.all([bare.stop(), nginx?.stop()]);
    },
  };
}

/** Stores what Holdall answers, so that the references send the very same bytes. */
async function keep(url: string, path: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return path;
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true });
}
