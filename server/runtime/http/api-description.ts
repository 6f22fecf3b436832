import type Koa from 'koa';
import { API_PREFIX } from '../../../rest-adapter/route.js';
import { refuseMethod } from '../../../rest-adapter/router.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { packageVersion } from '../../shared/version.js';

/** Serves `/v1/openapi.json`, which is generated on first use. */
export function serveApiDescription(origin: string): Koa.Middleware {
  let body: Promise<string> | null = null;
  return async (ctx, next) => {
    if (ctx.path.replace(/\/$/, '') !== `${API_PREFIX}/openapi.json`) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return refuseMethod(ctx, ['HEAD', 'GET']);
    body ??= describe(origin).catch((error: unknown) => {
      // The next request tries again.
      body = null;
      throw error;
    });
    ctx.set('cache-control', 'no-cache');
    ctx.type = 'application/json';
    ctx.body = await body;
  };
}

async function describe(origin: string): Promise<string> {
  const { describeApi } = await import('../../../rest-adapter/openapi/index.js');
  return JSON.stringify(
    describeApi(routes, { version: await packageVersion(), baseUrl: `${origin}${API_PREFIX}` }),
  );
}
