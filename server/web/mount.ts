import { acceptsHtml, hasBoth, isForPages, type PageOptions, type Pages } from './audience.js';

/** Serves the pages. They are loaded for the first browser, because many installations are only used by tools. */
export function createPages(options: PageOptions): Pages {
  let opened: Promise<Pages> | null = null;
  const open = async (): Promise<Pages> => {
    try {
      return await (await import('./serve.js')).openPages(options);
    } catch (error) {
      opened = null;
      throw error;
    }
  };
  const pages = (): Promise<Pages> => {
    opened ??= open();
    return opened;
  };
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
