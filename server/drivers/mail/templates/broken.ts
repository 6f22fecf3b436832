import type { I18n } from '../../../../routers/base/language/i18n.js';
import { asLocalizable } from '../../../../routers/base/language/localizable.js';
import type { Mails } from '../../../../routers/base/ports/mail/mail-templates.js';
import { greet, link, list, say } from './layout.js';

type BrokenMails = Pick<Mails, 'webhookDisabled' | 'domainPaused' | 'linksBroken'>;

/** The mails about what no longer works. */
export function brokenMails(service: string, i18n: I18n): BrokenMails {
  const { t } = i18n;
  return {
    webhookDisabled: ({ username, host, failures, lastError, settingsLink }) =>
      greet(
        username,
        i18n,
        t('Your {service} webhook was turned off', { service }),
        [
          say(
            t('Your webhook at {host} failed {failures} times in a row and was turned off.', {
              host,
              failures,
            }),
          ),
          say(t('Last failure: {failure}', { failure: i18n.translate(asLocalizable(lastError)) })),
          link(t('Open the webhook settings'), settingsLink),
        ],
        t(
          'You are receiving this e-mail because the webhook belongs to your account. Save its settings again to turn it on once the receiver works.',
        ),
      ),
    domainPaused: ({ username, host, link: url }) =>
      greet(
        username,
        i18n,
        t('Your domain {host} is paused', { host }),
        [
          say(
            t(
              'The proof that {host} is yours is no longer there, so your short links do not work there now. Nothing was deleted.',
              { host },
            ),
          ),
          say(t('Put the proof back, then have it checked on the page of your domains.')),
          link(t('Open your domains'), url),
        ],
        t('You are receiving this e-mail because the domain belongs to your account.'),
      ),
    linksBroken: ({ username, total, targets, link: url }) =>
      greet(
        username,
        i18n,
        t('{total, plural, one {A link of yours leads} other {{total} links of yours lead}} nowhere', {
          total,
        }),
        [
          say(t('These targets of your links did not answer at the last look:')),
          list(targets, total - targets.length, i18n),
          link(t('See these links'), url),
        ],
        t(
          'You are receiving this e-mail because you asked for it, once a week. You can turn it off under Settings, Links.',
        ),
      ),
  };
}
