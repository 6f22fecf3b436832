import { type I18n, msg } from '../../../../routers/base/language/i18n.js';
import type { Message } from '../../../../routers/base/language/message.js';
import type { AccessChange, Mails } from '../../../../routers/base/ports/mail/mail-templates.js';
import { greet, link, say } from './layout.js';

const SENTENCES: Readonly<Record<AccessChange['what'], Message>> = {
  keyCreated: msg('The API key "{name}" was created for your account.'),
  keyChanged: msg('What the API key "{name}" of your account may do, or its name, was changed.'),
  keyDeleted: msg('The API key "{name}" of your account was deleted.'),
  mainKeyReplaced: msg('The main API key of your account was replaced.'),
  mainKeyOff: msg('The main API key of your account was switched off.'),
  passkeyAdded: msg('The passkey "{name}" was added to your account. Anyone who has it can sign in as you.'),
  passkeyRenamed: msg('A passkey of your account is now called "{name}".'),
  passkeyRemoved: msg('The passkey "{name}" was removed from your account.'),
  identityLinked: msg(
    'An account at {name} was linked to your account. Anyone who uses it can sign in as you.',
  ),
  identityUnlinked: msg('An account at {name} was unlinked from your account.'),
  chatUnlinked: msg('The chat account {name} was unlinked from your account.'),
  messengerLinked: msg('The messenger account {name} was linked to your account.'),
  messengerUnlinked: msg('The messenger account was unlinked from your account.'),
  secondFactorOn: msg('Two-step sign-in was turned on for your account.'),
  secondFactorOff: msg('Two-step sign-in was turned off for your account.'),
  recoveryCodesRenewed: msg(
    'New recovery codes for two-step sign-in were made for your account; the old ones no longer work.',
  ),
  sessionsEnded: msg('Sessions of your account were ended.'),
  everythingEnded: msg(
    'All access to your account was ended: other sessions, keys, passkeys, linked accounts and the webhook.',
  ),
  passwordChanged: msg('The password of your account was changed.'),
  passwordSet: msg(
    'A new password was set for your account, which ended all sessions, keys and linked accounts.',
  ),
  signInLinkMade: msg(
    'Whoever runs this service made a link that signs in to your account once, within 15 minutes.',
  ),
};

/** The mails about ways into an account. */
export function accessMails(service: string, i18n: I18n): Pick<Mails, 'accessChanged' | 'chatLinked'> {
  const { t } = i18n;
  return {
    accessChanged: ({ username, change, settingsLink }) =>
      greet(
        username,
        i18n,
        t('The access to your {service} account was changed', { service }),
        [
          say(i18n.translateMessage(SENTENCES[change.what], { name: change.name ?? '' })),
          link(t('See who has access'), settingsLink),
        ],
        t('If this was not you, set a new password by mail: that ends everything an intruder may have.'),
      ),
    chatLinked: ({ username, chatName, settingsLink }) =>
      greet(
        username,
        i18n,
        t('A chat account was linked to your {service} account', { service }),
        [
          say(
            t('The chat account {name} was linked to your account. Anyone who uses it can sign in as you.', {
              name: chatName,
            }),
          ),
          link(t('View linked accounts'), settingsLink),
        ],
        t('If this was not you, unlink it there, set a new password and replace your API key.'),
      ),
  };
}
