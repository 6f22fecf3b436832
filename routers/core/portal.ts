import type { Context } from './context.js';

/** Whether a separate portal asks: its pages in a browser, or its server. */
export const isFromPortal = (ctx: Context): boolean =>
  ctx.app.settings.frontendUrl !== null && ctx.fromPortal();
