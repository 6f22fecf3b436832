import type Koa from 'koa';
import { API_PREFIX } from '../../../rest-adapter/route.js';
import { UPLOADS_PATH } from '../../../rest-adapter/tus.js';

const OVERRIDABLE: ReadonlySet<string> = new Set(['PATCH', 'DELETE', 'HEAD']);

/** Clients of resumable uploads that cannot send every method send POST and name the method in a header. */
export const overrideTusMethod: Koa.Middleware = (ctx, next) => {
  const wished = ctx.get('X-HTTP-Method-Override').toUpperCase();
  if (
    ctx.method === 'POST' &&
    OVERRIDABLE.has(wished) &&
    ctx.path.startsWith(`${API_PREFIX}${UPLOADS_PATH}/`)
  )
    ctx.method = wished;
  return next();
};
