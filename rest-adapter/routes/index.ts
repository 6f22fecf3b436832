import type { Route } from '../route.js';
import { accountRoutes } from './account.js';
import { adminRoutes } from './admin.js';
import { authRoutes } from './auth.js';
import { chatappRoutes } from './chatapp.js';
import { imageRoutes } from './image.js';
import { linkRoutes } from './link.js';
import { liveRoutes } from './live.js';
import { mailRoutes } from './mail.js';
import { messengerRoutes } from './messenger.js';
import { pasteRoutes } from './paste.js';
import { playlistRoutes } from './playlist.js';
import { siteRoutes } from './site.js';
import { statsRoutes } from './stats.js';
import { toolRoutes } from './tools.js';
import { webhookRoutes } from './webhook.js';

/** Every operation of `/v1`. If several routes match a path, the first wins. */
export const routes: readonly Route[] = [
  ...siteRoutes,
  ...authRoutes,
  ...accountRoutes,
  ...adminRoutes,
  ...liveRoutes,
  ...playlistRoutes,
  ...imageRoutes,
  ...pasteRoutes,
  ...linkRoutes,
  ...chatappRoutes,
  ...messengerRoutes,
  ...webhookRoutes,
  ...statsRoutes,
  ...mailRoutes,
  ...toolRoutes,
];
