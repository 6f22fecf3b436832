import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import type { Language } from '../../../routers/base/language/languages.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { built } from '../../shared/root.js';
import { accentSheet } from '../branding/accent.js';
import { drawingPolicy } from './policy.js';

/** Scripts and style sheet by entry name. */
export interface Assets {
  /** Throws if the name was not built. */
  url(entry: string): string;
  /** What a script says in a language, which is loaded before it; null for nothing, and in English. */
  textsUrl(entry: string, language: Language): string | null;
}

interface Asset {
  readonly type: string;
  readonly etag: string;
  readonly identity: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  /** Of a document. */
  readonly policy: string | null;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ico': 'image/x-icon',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
};
const PREFIX = '/web/assets/';

/** Addresses at which programs look without reading a page: for an icon, and for what robots may read. */
const usual: Readonly<Record<string, string>> = {
  '/favicon.ico': 'favicon.ico',
  '/apple-touch-icon.png': 'apple-touch-icon.png',
  '/apple-touch-icon-precomposed.png': 'apple-touch-icon.png',
  '/robots.txt': 'robots.txt',
};

/** The name of the asset at a path; null for other paths. */
export const assetAt = (path: string): string | null =>
  path.startsWith(PREFIX) ? path.slice(PREFIX.length) : (usual[path] ?? null);

/**
 * Reads the built assets into memory (about 2 MB; documents, which few pages need, for the first who asks). Returns their names and the middleware that serves them under
 * `/web/assets/`, compressed and cached forever, because their names contain their hash; icons also at their usual
 * addresses.
 */
export async function openAssets(): Promise<Assets & { readonly serve: Middleware }> {
  const folder = built('assets');
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<
    string,
    string
  >;
  const files = new Map<string, () => Promise<Asset>>();
  for (const name of await readdir(folder)) {
    const type = types[name.slice(name.lastIndexOf('.'))];
    if (type === undefined) continue;
    const read = loadedOnce(() => readAsset(join(folder, name), type));
    if (!name.endsWith('.html')) await read();
    files.set(name, read);
  }
  return {
    url(entry) {
      const name = manifest[entry];
      if (name === undefined) throw new Error(`no asset ${entry}`);
      return PREFIX + name;
    },
    textsUrl(entry, language) {
      const name = manifest[`${entry}.${language}`];
      return name === undefined ? null : PREFIX + name;
    },
    async serve(ctx, next) {
      const name = assetAt(ctx.path) ?? '';
      const asset = (await files.get(name)?.()) ?? accentAsset(name);
      if (asset === null || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
      ctx.set(
        'Cache-Control',
        /-[A-Z0-9]{8}\./.test(ctx.path) ? 'public, max-age=31536000, immutable' : 'public, max-age=86400',
      );
      ctx.vary('Accept-Encoding');
      if (asset.policy !== null) ctx.set('Content-Security-Policy', asset.policy);
      const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
      const body = encoding === 'br' ? asset.br : encoding === 'gzip' ? asset.gzip : null;
      if (body !== null && typeof encoding === 'string') ctx.set('Content-Encoding', encoding);
      ctx.status = 200;
      ctx.etag = body === null ? asset.etag : `${asset.etag}-${encoding}`;
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      ctx.type = asset.type;
      ctx.body = body ?? asset.identity;
    },
  };
}

/** The style sheet of an accent colour, which is computed: any colour has one. */
function accentAsset(name: string): Asset | null {
  const sheet = accentSheet(name);
  if (sheet === null) return null;
  const identity = Buffer.from(sheet);
  return { type: types['.css'] ?? '', etag: etagOf(identity), identity, br: null, gzip: null, policy: null };
}

const etagOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

async function readAsset(path: string, type: string): Promise<Asset> {
  const identity = await readFile(path);
  const [br, gzip] = await Promise.all(
    [`${path}.br`, `${path}.gz`].map((file) => readFile(file).catch(() => null)),
  );
  return {
    type,
    etag: etagOf(identity),
    identity,
    br: br ?? null,
    gzip: gzip ?? null,
    policy: type === types['.html'] ? drawingPolicy(identity) : null,
  };
}
