import type { Route } from '../route.js';
import { adminRoutes } from './admin.js';
import { authRoutes } from './auth.js';
import { chatappRoutes } from './chatapp.js';
import { emailRoutes } from './email.js';
import { imageRoutes } from './image.js';
import { liveRoutes } from './live.js';
import { messengerRoutes } from './messenger.js';
import { pasteRoutes } from './paste.js';
import { playlistRoutes } from './playlist.js';
import { siteRoutes } from './site.js';
import { statsRoutes } from './stats.js';
import { toolRoutes } from './tools.js';
import { urlRoutes } from './url.js';
import { userRoutes } from './user.js';
import { webhookRoutes } from './webhook.js';

/** Every operation of `/v1`. If several routes match a path, the first wins. */
export const routes: readonly Route[] = [
  ...siteRoutes,
  ...authRoutes,
  ...userRoutes,
  ...adminRoutes,
  ...liveRoutes,
  ...playlistRoutes,
  ...imageRoutes,
  ...pasteRoutes,
  ...urlRoutes,
  ...chatappRoutes,
  ...messengerRoutes,
  ...webhookRoutes,
  ...statsRoutes,
  ...emailRoutes,
  ...toolRoutes,
];
