import type { TRPCProcedureType as ProcedureType } from '@trpc/server';
import { userRouter } from './account/index.js';
import { adminRouter } from './admin/index.js';
import { authRouter } from './auth/index.js';
import { brandingRouter } from './branding/index.js';
import { chatappRouter } from './chatapp/index.js';
import { collectionRouter } from './collection/index.js';
import type { Context } from './context.js';
import { imageRouter } from './image/index.js';
import { libraryRouter } from './library/index.js';
import { limitsRouter } from './limits/index.js';
import { urlRouter } from './link/index.js';
import { liveRouter } from './live/index.js';
import { emailRouter } from './mail/index.js';
import { messengerRouter } from './messenger/index.js';
import { oidcRouter } from './oidc/index.js';
import { orderRouter } from './order/index.js';
import { packRouter } from './pack/index.js';
import { passkeyRouter } from './passkey/index.js';
import { pasteRouter } from './paste/index.js';
import { playlistRouter } from './playlist/index.js';
import { requestRouter } from './request/index.js';
import type { KeyNeeds } from './scopes.js';
import { siteRouter } from './site.js';
import { statsRouter } from './stats/index.js';
import { toolsRouter } from './tools/index.js';
import { trashRouter } from './trash/index.js';
import { createCallerFactory, type Entrance, requireEntrance, router } from './trpc.js';
import { uploadRouter } from './upload/index.js';
import { webhookRouter } from './webhook/index.js';

/** Every procedure of Holdall. REST routes, pages and the client all call these. */
export const appRouter = router({
  admin: adminRouter,
  auth: authRouter,
  branding: brandingRouter,
  chatapp: chatappRouter,
  collection: collectionRouter,
  email: emailRouter,
  image: imageRouter,
  library: libraryRouter,
  limits: limitsRouter,
  live: liveRouter,
  messenger: messengerRouter,
  oidc: oidcRouter,
  pack: packRouter,
  passkey: passkeyRouter,
  order: orderRouter,
  paste: pasteRouter,
  playlist: playlistRouter,
  request: requestRouter,
  site: siteRouter,
  stats: statsRouter,
  tools: toolsRouter,
  trash: trashRouter,
  upload: uploadRouter,
  url: urlRouter,
  user: userRouter,
  webhook: webhookRouter,
});

/** The type from which clients infer their types. */
export type AppRouter = typeof appRouter;

/** Calls procedures in this process on behalf of a request. */
export const createCaller = createCallerFactory(appRouter);

/** A procedure, as tRPC itself calls it. */
interface Declared {
  readonly _def: { readonly meta?: Entrance; readonly type: ProcedureType };
  (call: {
    readonly ctx: Context;
    readonly path: string;
    readonly type: ProcedureType;
    getRawInput(): Promise<unknown>;
    readonly signal: undefined;
    readonly batchIndex: 0;
  }): Promise<unknown>;
}

/** Every procedure by its whole name; the type shows the tree in which they were given. */
const declared = appRouter._def.procedures as unknown as Readonly<Record<string, Declared | undefined>>;

/** Calls a procedure by its whole name on behalf of a request; a caller would make several proxies for each call. */
export function callProcedure(ctx: Context, path: string, input: unknown): Promise<unknown> {
  const procedure = declared[path];
  if (procedure === undefined) throw new Error(`no procedure ${path}`);
  const { type } = procedure._def;
  return procedure({ ctx, path, type, getRawInput: async () => input, signal: undefined, batchIndex: 0 });
}

/** What a named key needs for a procedure, such as `image.get`. */
export function needsOfProcedure(name: string): KeyNeeds {
  const needs = declared[name]?._def.meta;
  if (needs === undefined) throw new Error(`${name} declares no scope`);
  return needs;
}

/**
 * Refuses a caller who may not call a procedure whatever the input, by the credentials so far: asked before a body is
 * taken, so that none arrives in vain. A name that no procedure has is let through.
 */
export async function requireEntranceTo(name: string, ctx: Context): Promise<void> {
  const { meta, type } = declared[name]?._def ?? {};
  if (meta === undefined || type === undefined) return;
  await requireEntrance(ctx, meta, type);
}
