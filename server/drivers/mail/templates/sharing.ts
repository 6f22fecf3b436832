import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { Mails } from '../../../../routers/base/ports/mail/mail-templates.js';
import { greet, layOut, link, say } from './layout.js';

type SharingMails = Pick<Mails, 'forwardRequest' | 'collectionShared' | 'linkShared'>;

/** The mails that one person has sent to another. They say nothing about what is in something shared. */
export function sharingMails(i18n: I18n): SharingMails {
  const { t } = i18n;
  return {
    forwardRequest: (data) => {
      const { username, mailbox, hours } = data;
      return layOut(
        i18n,
        t('Forward the mail of {mailbox} to you?', { mailbox }),
        [
          say(
            t('{username} wants everything that {mailbox} receives to be forwarded to you.', {
              username,
              mailbox,
            }),
          ),
          link(t('See the request and agree'), data.link),
          say(
            t('The link works once and expires after {hours} hours. Nothing is forwarded before.', { hours }),
          ),
        ],
        t('If you do not know what this is about, ignore this e-mail.'),
      );
    },
    collectionShared: ({ username, owner, isOffer, link: url }) =>
      greet(
        username,
        i18n,
        isOffer
          ? t('{username} offers you a collection', { username: owner })
          : t('{username} shares a collection with you', { username: owner }),
        [
          say(
            isOffer
              ? t('{username} wants you to be the owner of a collection.', { username: owner })
              : t('{username} has made you a member of a collection.', { username: owner }),
          ),
          link(t('See what is shared with you'), url),
        ],
        isOffer ? t('You can accept or decline there.') : t('You can leave it there at any time.'),
      ),
    linkShared: ({ username, message, link: url }) =>
      layOut(
        i18n,
        t('{username} shares something with you', { username }),
        [
          say(t('{username} sends you a link:', { username })),
          ...(message === null ? [] : [say(message)]),
          link(t('Open the link'), url),
        ],
        t('You are receiving this e-mail because somebody with an account here has entered your address.'),
      ),
  };
}
