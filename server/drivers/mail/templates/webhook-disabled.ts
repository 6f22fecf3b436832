import type { I18n } from '../../../../routers/base/language/i18n.js';
import { asLocalizable } from '../../../../routers/base/language/localizable.js';
import type { MailContent, WebhookDisabledData } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells a user that their webhook was turned off. */
export function webhookDisabledMail(data: WebhookDisabledData, service: string, i18n: I18n): MailContent {
  const { host, failures, lastError } = data;
  return layOut(
    i18n.language,
    i18n.t('Your {service} webhook was turned off', { service }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username: data.username }) },
      {
        kind: 'text',
        text: i18n.t('Your webhook at {host} failed {failures} times in a row and was turned off.', {
          host,
          failures,
        }),
      },
      {
        kind: 'text',
        text: i18n.t('Last failure: {failure}', { failure: i18n.translate(asLocalizable(lastError)) }),
      },
      { kind: 'link', label: i18n.t('Open the webhook settings'), url: data.settingsLink },
    ],
    i18n.t(
      'You are receiving this e-mail because the webhook belongs to your account. Save its settings again to turn it on once the receiver works.',
    ),
  );
}
