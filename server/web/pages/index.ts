import type { PageRoute } from '../request.js';
import { adminPages } from './admin.js';
import { apidocsPages } from './apidocs.js';
import { deletePages } from './delete.js';
import { imagePages } from './image.js';
import { libraryPages } from './library.js';
import { linkPages } from './link.js';
import { listPages } from './lists.js';
import { mailPages } from './mail.js';
import { operationsPages } from './operations.js';
import { pastePages } from './paste.js';
import { playlistPages } from './playlists.js';
import { securityPages } from './security.js';
import { settingsPages } from './settings.js';
import { signInPages } from './sign-in.js';
import { sitePages } from './site.js';
import { twoStepPages } from './two-step.js';
import { uploadPages } from './upload.js';
import { verificationPages } from './verification.js';

/** All pages and forms. Paths are below `/web`, except for `/` itself. */
export const pages: readonly PageRoute[] = [
  ...sitePages,
  ...signInPages,
  ...uploadPages,
  ...imagePages,
  ...pastePages,
  ...linkPages,
  ...deletePages,
  ...libraryPages,
  ...listPages,
  ...playlistPages,
  ...mailPages,
  ...verificationPages,
  ...settingsPages,
  ...securityPages,
  ...twoStepPages,
  ...adminPages,
  ...operationsPages,
  ...apidocsPages,
];
