import { userRouter } from './account/index.js';
import { adminRouter } from './admin/index.js';
import { authRouter } from './auth/index.js';
import { chatappRouter } from './chatapp/index.js';
import { imageRouter } from './image/index.js';
import { libraryRouter } from './library/index.js';
import { urlRouter } from './link/index.js';
import { liveRouter } from './live/index.js';
import { emailRouter } from './mail/index.js';
import { messengerRouter } from './messenger/index.js';
import { pasteRouter } from './paste/index.js';
import { playlistRouter } from './playlist/index.js';
import { siteRouter } from './site.js';
import { statsRouter } from './stats/index.js';
import { toolsRouter } from './tools/index.js';
import { createCallerFactory, router } from './trpc.js';
import { webhookRouter } from './webhook/index.js';

/** Every procedure of Holdall. REST routes, pages and the client all call these. */
export const appRouter = router({
  admin: adminRouter,
  auth: authRouter,
  chatapp: chatappRouter,
  email: emailRouter,
  image: imageRouter,
  library: libraryRouter,
  live: liveRouter,
  messenger: messengerRouter,
  paste: pasteRouter,
  playlist: playlistRouter,
  site: siteRouter,
  stats: statsRouter,
  tools: toolsRouter,
  url: urlRouter,
  user: userRouter,
  webhook: webhookRouter,
});

/** The type from which clients infer their types. */
export type AppRouter = typeof appRouter;

/** Calls procedures in this process on behalf of a request. */
export const createCaller = createCallerFactory(appRouter);
