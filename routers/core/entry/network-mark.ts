import type { Context } from '../context.js';

/**
 * The network of the caller as a keyed hash: tells whether two requests came from the same one, and is stored even
 * where addresses must not be.
 */
export const networkMark = (ctx: Context): string => ctx.app.secrets.sign(`network:${ctx.network()}`);
