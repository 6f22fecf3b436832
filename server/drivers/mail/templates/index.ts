import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { Mails } from '../../../../routers/base/ports/mail/mail-templates.js';
import { accessMails } from './access.js';
import { accountMails } from './account.js';
import { brokenMails } from './broken.js';
import { sharingMails } from './sharing.js';
import { toldMails } from './told.js';

/** Every mail that the service writes, in one language. */
export const mailTemplates = (service: string, i18n: I18n): Mails => ({
  ...accountMails(service, i18n),
  ...accessMails(service, i18n),
  ...sharingMails(i18n),
  ...toldMails(i18n),
  ...brokenMails(service, i18n),
});
