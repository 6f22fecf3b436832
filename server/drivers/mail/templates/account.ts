import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { Mails } from '../../../../routers/base/ports/mail/mail-templates.js';
import { code, greet, link, say } from './layout.js';

type AccountMails = Pick<
  Mails,
  | 'verification'
  | 'activated'
  | 'accountWaiting'
  | 'accountRefused'
  | 'passwordReset'
  | 'newAddress'
  | 'addressChanged'
>;

/** The mails by which an account begins, and keeps its address and password. */
export function accountMails(service: string, i18n: I18n): AccountMails {
  const { t } = i18n;
  return {
    verification: (data) =>
      greet(
        data.username,
        i18n,
        t('Confirm your {service} account', { service }),
        [
          say(t('Enter this code to confirm your account:')),
          code(data.code),
          link(t('Or open this link'), data.link),
          say(
            t('The code and the link work once and expire after {minutes} minutes.', {
              minutes: data.minutes,
            }),
          ),
        ],
        t(
          'Someone registered at {service} with this address. If this was not you, ignore this e-mail; nothing else will happen.',
          { service },
        ),
      ),
    activated: ({ username, signInLink }) =>
      greet(
        username,
        i18n,
        t('Your {service} account is active', { service }),
        [
          say(t('An administrator has activated your account. You can sign in now.')),
          link(t('Sign in'), signInLink),
        ],
        t('Someone registered at {service} with this address. If this was not you, ignore this e-mail.', {
          service,
        }),
      ),
    accountWaiting: (data) => {
      const { newcomer, address } = data;
      return greet(
        data.username,
        i18n,
        t('{newcomer} would like an account at {service}', { newcomer, service }),
        [
          say(t('{newcomer} ({address}) has registered and waits for your decision.', { newcomer, address })),
          link(t('Decide'), data.link),
        ],
        t('You are receiving this e-mail because you administer {service}.', { service }),
      );
    },
    accountRefused: ({ username }) =>
      greet(
        username,
        i18n,
        t('Your registration at {service}', { service }),
        [say(t('An administrator has declined your registration. What you entered has been deleted.'))],
        t('Someone registered at {service} with this address. If this was not you, ignore this e-mail.', {
          service,
        }),
      ),
    passwordReset: (data) =>
      greet(
        data.username,
        i18n,
        t('Set a new password for {service}', { service }),
        [
          say(t('Someone asked to set a new password for your account.')),
          link(t('Set a new password'), data.link),
          say(
            t(
              'The link works once and expires after {minutes} minutes. Changing the password ends all your sessions.',
              { minutes: data.minutes },
            ),
          ),
        ],
        t('If this was not you, ignore this e-mail. Your password stays as it is.'),
      ),
    newAddress: (data) =>
      greet(
        data.username,
        i18n,
        t('Confirm your new e-mail address for {service}', { service }),
        [
          say(t('You asked to use this e-mail address for your account.')),
          link(t('Use this address'), data.link),
          say(t('The link works once and expires after {minutes} minutes.', { minutes: data.minutes })),
        ],
        t('If this was not you, ignore this e-mail; nothing else will happen.'),
      ),
    addressChanged: ({ username }) =>
      greet(
        username,
        i18n,
        t('The e-mail address of your {service} account was changed', { service }),
        [
          say(
            t(
              'Your account has a new e-mail address. This one no longer signs in, and gets no more e-mails.',
            ),
          ),
        ],
        t('If this was not you, tell an administrator at once: somebody knows your password.'),
      ),
  };
}
