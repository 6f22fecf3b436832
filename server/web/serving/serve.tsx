import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import { applyCookies } from '../../../rest-adapter/cookies.js';
import { isForPicture, writeRemoved } from '../../../rest-adapter/failure.js';
import { handle } from '../../../rest-adapter/handle.js';
import { fieldsOf } from '../../../rest-adapter/receive/encoded.js';
import { receiving } from '../../../rest-adapter/receive/receive.js';
import type { Route } from '../../../rest-adapter/route.js';
import { methodsOf, refuseMethod, renderFailure } from '../../../rest-adapter/router.js';
import { documentRoute } from '../../../rest-adapter/routes/image.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { headerOf } from '../../../rest-adapter/wire.js';
import { DomainError } from '../../../routers/base/errors.js';
import { idIn } from '../../../routers/base/item-address.js';
import { takesSlugs } from '../../../routers/base/kinds.js';
import { translating } from '../../../routers/base/language/i18n.js';
import type { Context } from '../../../routers/core/context.js';
import { displayName, dispositionHeader } from '../../../routers/core/items/file-names.js';
import { createCaller } from '../../../routers/index.js';
import { signInPath } from '../address.js';
import { refusalOf } from '../refusal.js';
import { goTo, type PageAnswer, type PageRequest, type PageRoute, page } from '../request.js';
import { pages } from '../routes.js';
import { SIGN_IN_FORMS } from '../sign-in/paths.js';
import { ErrorPage } from '../site/error-page.js';
import { assetAt, openAssets } from './assets.js';
import { acceptsHtml, isForPages, type PageOptions, type Pages } from './audience.js';
import { sendPage } from './compress.js';
import { renderPage } from './html.js';
import { applyPolicy, contentPolicy, FOREIGN_STYLE, foreignPolicy } from './policy.js';
import { siteOf } from './site-of.js';

/** Loads the assets, and serves them and all pages. */
export async function openPages(options: PageOptions): Promise<Pages> {
  const assets = await openAssets();
  const policy = contentPolicy(options.mediaOrigin);
  const router = new Router();
  const isPage = (path: string): boolean => router.match(path, 'GET').route;
  const serve = async (route: PageRoute, koa: KoaContext): Promise<void> => {
    const ctx = options.contextOf(koa);
    const site = await siteOf(ctx, koa, assets, isPage);
    await write(await answerTo(route, ctx, koa, site, options), site, ctx, koa, policy, options);
  };
  /** No page matched: 404, or 405 if the path has other methods. */
  const serveNothing = async (koa: KoaContext): Promise<void> => {
    const methods = methodsOf(koa);
    if (methods.length === 0 || methods.includes(koa.method)) return serve(nothing, koa);
    if (koa.method === 'OPTIONS') return refuseMethod(koa, methods);
    koa.set('Allow', [...methods, 'OPTIONS'].join(', '));
    return serve(otherMethod, koa);
  };
  for (const route of pages) {
    const middleware: Middleware = (koa, next) => {
      if (route.byAccept) koa.vary('Accept');
      return route.htmlOnly && !acceptsHtml(koa) ? next() : serve(route, koa);
    };
    const paths = route.paths.map((path) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\{\*(\w+)\}/g, '*$1'));
    if (route.method === 'GET') router.get(paths, middleware);
    else router.post(paths, middleware);
  }
  const servePage = router.routes() as unknown as Middleware;
  return {
    serve: (koa, next) => {
      if (assetAt(koa.path) !== null) return assets.serve(koa, next);
      return servePage(koa, isForPages(koa) ? () => serveNothing(koa) : next);
    },
    refuse: (koa, error) => serve(refusing(error), koa),
  };
}

/** A route that only fails with this error. */
const refusing = (error: Error): PageRoute => ({
  method: 'GET',
  paths: [],
  htmlOnly: false,
  byAccept: false,
  body: 'none',
  admit: null,
  procedure: null,
  answer: () => Promise.reject(error),
});

const nothing = refusing(new DomainError('NOT_FOUND'));
const otherMethod = refusing(new DomainError('METHOD_NOT_ALLOWED'));

/** Parameters with a plain id; that of a link may end with anything. Undefined for a path that no page has. */
const withId = (params: PageRequest['params'] | undefined): PageRequest['params'] =>
  params?.id === undefined || takesSlugs(params.kind) ? (params ?? {}) : { ...params, id: idIn(params.id) };

/** Where the first owner registers. Accounts may exist before, and can verify and sign in as ever. */
const SET_UP = `/web${SIGN_IN_FORMS.register}`;
const SET_UP_PAGES = [SET_UP, `/web${SIGN_IN_FORMS.login}`, '/web/verify', '/web/verify/link'];

async function answerTo(
  route: PageRoute,
  ctx: Context,
  koa: KoaContext,
  site: PageRequest['site'],
  options: PageOptions,
): Promise<PageAnswer> {
  if (site.unowned && route.method === 'GET' && !SET_UP_PAGES.includes(site.path)) return goTo(SET_UP);
  try {
    return await receiving(route, ctx, koa, (received) =>
      route.answer({
        site,
        ctx,
        method: koa.method,
        // The page counts as opened, if it shows an item, and not what it reads for that.
        call: createCaller({ ...ctx, opens: false }),
        params: withId(koa.params),
        query: fieldsOf(koa.search),
        search: koa.search,
        header: (name) => headerOf(koa.req, name),
        ...received,
        body: received.body.typed(),
      }),
    );
  } catch (error) {
    const { status: refusal, message, headers } = refusalOf(error, site.i18n);
    // The sign-in page would redirect a signed-in user straight back here.
    const status = refusal === 401 && site.viewer !== null ? 403 : refusal;
    if (status >= 500) options.onError(error, koa);
    if (status === 404 && route.byAccept && isForPicture(koa.req)) return { as: 'gone' };
    if (status === 401 && route.method === 'GET') return goTo(signInPath(site));
    return page(
      <ErrorPage site={site} status={status} detail={status === 404 || status >= 500 ? null : message} />,
      status,
      headers,
    );
  }
}

async function write(
  answer: PageAnswer,
  { i18n }: PageRequest['site'],
  ctx: Context,
  koa: KoaContext,
  policy: string,
  options: PageOptions,
): Promise<void> {
  if (answer.as === 'bytes')
    return sendBytes(answer.framed ? documentRoute : contentRoute, answer.uniqueId, ctx, koa, options);
  if (answer.as === 'gone') {
    koa.respond = false;
    return writeRemoved(koa.res);
  }
  applyCookies(koa.res, ctx.outgoingCookies, options.cookies);
  applyPolicy(koa, policy);
  if (answer.as === 'redirect') {
    koa.status = answer.status;
    // Encodes what must not stand in a header.
    koa.redirect(answer.location);
    koa.body = '';
    return;
  }
  if (answer.as === 'foreign') {
    applyPolicy(koa, foreignPolicy(answer.remotePictures));
    koa.set('Referrer-Policy', 'no-referrer');
    koa.set('X-Frame-Options', 'SAMEORIGIN');
    koa.type = 'text/html; charset=utf-8';
    koa.body = `<!doctype html><meta charset="utf-8"><title>Message</title>${FOREIGN_STYLE}<body dir="auto">${answer.html}`;
    return;
  }
  if (answer.as === 'file') {
    koa.type = 'application/octet-stream';
    koa.set(
      'Content-Disposition',
      dispositionHeader('attachment', displayName(answer.filename) ?? 'attachment', null),
    );
    koa.body = answer.content;
    return;
  }
  if (answer.as === 'page') {
    koa.set({ ...answer.headers, 'Content-Language': i18n.language });
    koa.vary('Accept-Language');
  }
  koa.status = answer.status;
  koa.type = answer.as === 'json' ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  if (answer.as === 'json') koa.body = JSON.stringify(answer.body);
  else
    await sendPage(
      koa,
      translating(i18n, () => renderPage(answer.page)),
    );
}

/** Sends the content or its error exactly like the API operation. */
async function sendBytes(
  route: Route,
  uniqueId: string,
  ctx: Context,
  koa: KoaContext,
  options: PageOptions,
): Promise<void> {
  koa.params = { uniqueId };
  koa.respond = false;
  try {
    await handle(route, ctx, koa, options.cookies);
  } catch (error) {
    await renderFailure(error, koa, options, route.shown);
  }
}

const contentRoute = findRoute('GET', '/image/get/{uniqueId}');

function findRoute(method: Route['method'], path: string): Route {
  const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
  if (route === undefined) throw new Error(`no route ${method} ${path}`);
  return route;
}
