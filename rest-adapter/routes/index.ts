import type { Route } from '../route.js';
import { accountRoutes } from './account/account.js';
import { authRoutes } from './account/auth.js';
import { chatappRoutes } from './account/chatapp.js';
import { messengerRoutes } from './account/messenger.js';
import { oidcRoutes } from './account/oidc.js';
import { passkeyRoutes } from './account/passkey.js';
import { adminRoutes } from './admin/admin.js';
import { adminItemRoutes } from './admin/admin-items.js';
import { brandingRoutes } from './admin/branding.js';
import { limitRoutes } from './admin/limits.js';
import { liveRoutes } from './admin/live.js';
import { moderationRoutes } from './admin/moderation.js';
import { settingsRoutes } from './admin/settings.js';
import { collectionRoutes } from './collection.js';
import { domainRoutes } from './domain.js';
import { imageRoutes } from './image.js';
import { linkRoutes } from './link.js';
import { mailRoutes } from './mail.js';
import { memberRoutes } from './member.js';
import { ownItemRoutes } from './own-items.js';
import { packRoutes } from './pack.js';
import { pasteRoutes } from './paste.js';
import { playlistRoutes } from './playlist.js';
import { requestRoutes } from './request.js';
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
