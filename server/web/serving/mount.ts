import { loadedOnce } from '../../shared/loaded-once.js';
import { acceptsHtml, hasBoth, isForPages, type PageOptions, type Pages } from './audience.js';

/** Serves the pages. They are loaded for the first browser, because many installations are only used by tools. */
export function createPages(options: PageOptions): Pages {
  const pages = loadedOnce(async () => (await import('./serve.js')).openPages(options));
  return {
    serve: async (koa, next) => {
      if (!isForPages(koa) && !acceptsHtml(koa)) {
        if (hasBoth(koa)) koa.vary('Accept');
        return next();
      }
      return (await pages()).serve(koa, next);
    },
    refuse: async (koa, error) => (await pages()).refuse(koa, error),
  };
}
