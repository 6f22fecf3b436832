import type { I18n } from '../../../../routers/base/language/i18n.js';
import type {
  CollectionSharedData,
  MailContent,
} from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells somebody that a collection is shared with them, or offered; says nothing about what is in it. */
export function collectionSharedMail(
  { username, owner, isOffer, link }: CollectionSharedData,
  i18n: I18n,
): MailContent {
  return layOut(
    i18n.language,
    isOffer
      ? i18n.t('{username} offers you a collection', { username: owner })
      : i18n.t('{username} shares a collection with you', { username: owner }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: isOffer
          ? i18n.t('{username} wants you to be the owner of a collection.', { username: owner })
          : i18n.t('{username} has made you a member of a collection.', { username: owner }),
      },
      { kind: 'link', label: i18n.t('See what is shared with you'), url: link },
    ],
    isOffer ? i18n.t('You can accept or decline there.') : i18n.t('You can leave it there at any time.'),
  );
}
