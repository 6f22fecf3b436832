import type { TRPCProcedureType as ProcedureType } from '@trpc/server';
import { libraryRouter } from './app/library/index.js';
import { siteRouter } from './app/site.js';
import { trashRouter } from './app/trash/index.js';
import { DomainError } from './base/errors.js';
import type { Context } from './core/context.js';
import type { KeyNeeds } from './core/scopes.js';
import { createCallerFactory, type Entrance, requireEntrance, router } from './core/trpc.js';
import { userRouter } from './features/account/index.js';
import { adminRouter } from './features/admin/index.js';
import { authRouter } from './features/auth/index.js';
import { brandingRouter } from './features/branding/index.js';
import { chatappRouter } from './features/chatapp/index.js';
import { collectionRouter } from './features/collection/index.js';
import { domainRouter } from './features/domain/index.js';
import { imageRouter } from './features/image/index.js';
import { limitsRouter } from './features/limits/index.js';
import { urlRouter } from './features/link/index.js';
import { liveRouter } from './features/live/index.js';
import { inboxesRouter } from './features/mail/inboxes/index.js';
import { emailRouter } from './features/mail/index.js';
import { messengerRouter } from './features/messenger/index.js';
import { moderationRouter } from './features/moderation/index.js';
import { oidcRouter } from './features/oidc/index.js';
import { packRouter } from './features/pack/index.js';
import { passkeyRouter } from './features/passkey/index.js';
import { pasteRouter } from './features/paste/index.js';
import { playlistRouter } from './features/playlist/index.js';
import { requestRouter } from './features/request/index.js';
import { settingsRouter } from './features/settings/index.js';
import { statsRouter } from './features/stats/index.js';
import { tellingRouter } from './features/telling/index.js';
import { toolsRouter } from './features/tools/index.js';
import { uploadRouter } from './features/upload/index.js';
import { webhookRouter } from './features/webhook/index.js';

/** The routers by name. Written as types, because the inferred type of all of them is too long for a declaration. */
type Routers = {
  readonly admin: typeof adminRouter;
  readonly auth: typeof authRouter;
  readonly branding: typeof brandingRouter;
  readonly chatapp: typeof chatappRouter;
  readonly collection: typeof collectionRouter;
  readonly domain: typeof domainRouter;
  readonly email: typeof emailRouter;
  readonly image: typeof imageRouter;
  readonly inboxes: typeof inboxesRouter;
  readonly library: typeof libraryRouter;
  readonly limits: typeof limitsRouter;
  readonly live: typeof liveRouter;
  readonly messenger: typeof messengerRouter;
  readonly oidc: typeof oidcRouter;
  readonly pack: typeof packRouter;
  readonly passkey: typeof passkeyRouter;
  readonly order: typeof moderationRouter;
  readonly paste: typeof pasteRouter;
  readonly playlist: typeof playlistRouter;
  readonly request: typeof requestRouter;
  readonly settings: typeof settingsRouter;
  readonly site: typeof siteRouter;
  readonly stats: typeof statsRouter;
  readonly telling: typeof tellingRouter;
  readonly tools: typeof toolsRouter;
  readonly trash: typeof trashRouter;
  readonly upload: typeof uploadRouter;
  readonly url: typeof urlRouter;
  readonly user: typeof userRouter;
  readonly webhook: typeof webhookRouter;
};

/** Every procedure of Holdall. REST routes, pages and the client all call these. */
export const appRouter: ReturnType<typeof router<Routers>> = router<Routers>({
  admin: adminRouter,
  auth: authRouter,
  branding: brandingRouter,
  chatapp: chatappRouter,
  collection: collectionRouter,
  domain: domainRouter,
  email: emailRouter,
  image: imageRouter,
  inboxes: inboxesRouter,
  library: libraryRouter,
  limits: limitsRouter,
  live: liveRouter,
  messenger: messengerRouter,
  oidc: oidcRouter,
  pack: packRouter,
  passkey: passkeyRouter,
  order: moderationRouter,
  paste: pasteRouter,
  playlist: playlistRouter,
  request: requestRouter,
  settings: settingsRouter,
  site: siteRouter,
  stats: statsRouter,
  telling: tellingRouter,
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
export const createCaller: ReturnType<typeof createCallerFactory<(typeof appRouter)['_def']['record']>> =
  createCallerFactory(appRouter);

/** A procedure, as tRPC itself calls it. */
interface Declared {
  readonly _def: {
    readonly meta?: Entrance;
    readonly type: ProcedureType;
    readonly inputs: readonly unknown[];
    readonly resolver: PlainProcedure['resolve'];
  };
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

/** A procedure without its checks: what a named key needs for it, and its function, which takes only a valid input. */
export interface PlainProcedure {
  readonly needs: KeyNeeds;
  readonly resolve: (call: { readonly ctx: Context; readonly input: unknown }) => Promise<unknown>;
}

/** The procedure with this name, such as `image.get`, for a caller who makes its checks. */
export function plainProcedure(name: string): PlainProcedure {
  const { meta, resolver } = declared[name]?._def ?? {};
  if (meta === undefined || resolver === undefined) throw new Error(`${name} declares no scope`);
  return { needs: meta, resolve: resolver };
}

/** The schemas of what a procedure takes; all of them apply. */
export const inputsOf = (name: string): readonly unknown[] => declared[name]?._def.inputs ?? [];

/** Whether a procedure reads or changes something. */
export const typeOf = (name: string): ProcedureType | undefined => declared[name]?._def.type;

/** Whether a caller may call a procedure, whatever the input. */
export async function mayEnter(name: string, ctx: Context): Promise<boolean> {
  try {
    await requireEntranceTo(name, ctx);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
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
