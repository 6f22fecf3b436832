import type { Route } from '../route.js';
import { accountRoutes } from './account.js';
import { adminRoutes } from './admin.js';
import { adminItemRoutes } from './admin-items.js';
import { authRoutes } from './auth.js';
import { brandingRoutes } from './branding.js';
import { chatappRoutes } from './chatapp.js';
import { collectionRoutes } from './collection.js';
import { domainRoutes } from './domain.js';
import { imageRoutes } from './image.js';
import { limitRoutes } from './limits.js';
import { linkRoutes } from './link.js';
import { liveRoutes } from './live.js';
import { mailRoutes } from './mail.js';
import { memberRoutes } from './member.js';
import { messengerRoutes } from './messenger.js';
import { moderationRoutes } from './moderation.js';
import { oidcRoutes } from './oidc.js';
import { ownItemRoutes } from './own-items.js';
import { packRoutes } from './pack.js';
import { passkeyRoutes } from './passkey.js';
import { pasteRoutes } from './paste.js';
import { playlistRoutes } from './playlist.js';
import { requestRoutes } from './request.js';
import { settingsRoutes } from './settings.js';
import { shareRoutes } from './share.js';
import { siteRoutes } from './site.js';
import { statsRoutes } from './stats.js';
import { tellingRoutes } from './telling.js';
import { toolRoutes } from './tools.js';
import { uploadRoutes } from './upload.js';
import { webhookRoutes } from './webhook.js';

/** Every operation of `/v1`. If several routes match a path, the first wins. */
export const routes: readonly Route[] = [
  ...siteRoutes,
  ...authRoutes,
  ...oidcRoutes,
  ...passkeyRoutes,
  ...ownItemRoutes,
  ...accountRoutes,
  ...adminRoutes,
  ...adminItemRoutes,
  ...liveRoutes,
  ...limitRoutes,
  ...brandingRoutes,
  ...settingsRoutes,
  ...moderationRoutes,
  ...playlistRoutes,
  ...memberRoutes,
  ...collectionRoutes,
  ...shareRoutes,
  ...tellingRoutes,
  ...packRoutes,
  ...requestRoutes,
  ...imageRoutes,
  ...uploadRoutes,
  ...pasteRoutes,
  ...linkRoutes,
  ...domainRoutes,
  ...chatappRoutes,
  ...messengerRoutes,
  ...webhookRoutes,
  ...statsRoutes,
  ...mailRoutes,
  ...toolRoutes,
];
