import type Koa from 'koa';
import { API_PREFIX } from '../../../rest-adapter/route.js';
import { refuseMethod } from '../../../rest-adapter/router.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { packageVersion } from '../../shared/version.js';

/** Serves `/v1/openapi.json`, which is generated on first use. */
export function serveApiDescription(origin: string): Koa.Middleware {
  const describe = loadedOnce(() => description(origin));
  return async (ctx, next) => {
    if (ctx.path.replace(/\/$/, '') !== `${API_PREFIX}/openapi.json`) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return refuseMethod(ctx, ['HEAD', 'GET']);
    ctx.set('cache-control', 'no-cache');
    ctx.type = 'application/json';
    ctx.body = await describe();
  };
}

async function description(origin: string): Promise<string> {
  const { describeApi } = await import('../../../rest-adapter/openapi/index.js');
  return JSON.stringify(
    describeApi(routes, { version: await packageVersion(), baseUrl: `${origin}${API_PREFIX}` }),
  );
}
