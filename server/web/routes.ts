import { keyPages } from './account/key-routes.js';
import { passkeyPages } from './account/passkey-routes.js';
import { settingsPages } from './account/routes.js';
import { securityPages } from './account/security-routes.js';
import { twoStepPages } from './account/two-step-routes.js';
import { operationsPages } from './admin/operations-routes.js';
import { adminPages } from './admin/routes.js';
import { installationPages } from './admin/settings-routes.js';
import { apidocsPages } from './apidocs/routes.js';
import { brandingPages } from './branding/routes.js';
import { openedPages } from './collection/opened-routes.js';
import { collectionPages } from './collection/routes.js';
import { domainPages } from './domain/routes.js';
import { editPages } from './edit/routes.js';
import { findPages } from './find/routes.js';
import { deletePages } from './gate/delete-routes.js';
import { imagePages } from './image/routes.js';
import { manyPages } from './library/many-routes.js';
import { libraryPages } from './library/routes.js';
import { limitPages } from './limits/routes.js';
import { linkImportPages } from './link/import-routes.js';
import { linkListPages } from './link/list-routes.js';
import { presetPages } from './link/presets/routes.js';
import { linkPages } from './link/routes.js';
import { sumPages } from './link/sums/routes.js';
import { wayPages } from './link/way/routes.js';
import { mailPages } from './mail/routes.js';
import { mailRulePages } from './mail/rules-routes.js';
import { mailSettingsPages } from './mail/settings-routes.js';
import { moderationPages } from './moderation/routes.js';
import { revisionPages } from './paste/revision-routes.js';
import { pastePages } from './paste/routes.js';
import type { PageRoute } from './request.js';
import { sharePages } from './share/routes.js';
import { signInPages } from './sign-in/routes.js';
import { sitePages } from './site/routes.js';
import { toldPages } from './told/routes.js';
import { trashPages } from './trash/routes.js';
import { uploadPages } from './upload/routes.js';
import { requestGuestPages } from './upload-request/guest-routes.js';
import { requestPages } from './upload-request/routes.js';
import { verificationPages } from './verification/routes.js';
import { viewPages } from './visits/routes.js';

/** All pages and forms. Paths are below `/web`, except for `/` itself. */
export const pages: readonly PageRoute[] = [
  ...sitePages,
  ...signInPages,
  ...uploadPages,
  ...imagePages,
  ...pastePages,
  ...linkPages,
  ...domainPages,
  ...linkImportPages,
  ...linkListPages,
  ...wayPages,
  ...sumPages,
  ...presetPages,
  ...viewPages,
  ...editPages,
  ...revisionPages,
  ...toldPages,
  ...trashPages,
  ...deletePages,
  ...libraryPages,
  ...manyPages,
  ...findPages,
  ...collectionPages,
  ...openedPages,
  ...sharePages,
  ...requestGuestPages,
  ...requestPages,
  ...mailPages,
  ...mailSettingsPages,
  ...mailRulePages,
  ...verificationPages,
  ...settingsPages,
  ...securityPages,
  ...twoStepPages,
  ...keyPages,
  ...passkeyPages,
  ...adminPages,
  ...installationPages,
  ...limitPages,
  ...moderationPages,
  ...brandingPages,
  ...operationsPages,
  ...apidocsPages,
];
