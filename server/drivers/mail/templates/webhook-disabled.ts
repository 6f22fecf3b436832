import type { Speech } from '../../../../routers/base/language/i18n.js';
import { asTold } from '../../../../routers/base/language/localizable.js';
import type { MailContent, WebhookDisabledData } from '../../../../routers/base/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells a user that their webhook was turned off. */
export function webhookDisabledMail(data: WebhookDisabledData, service: string, speech: Speech): MailContent {
  const { host, failures, lastError } = data;
  return layOut(
    speech.language,
    speech.t('Your {service} webhook was turned off', { service }),
    [
      { kind: 'text', text: speech.t('Hello {username},', { username: data.username }) },
      {
        kind: 'text',
        text: speech.t('Your webhook at {host} failed {failures} times in a row and was turned off.', {
          host,
          failures,
        }),
      },
      {
        kind: 'text',
        text: speech.t('Last failure: {failure}', { failure: speech.tell(asTold(lastError)) }),
      },
      { kind: 'link', label: speech.t('Open the webhook settings'), url: data.settingsLink },
    ],
    speech.t(
      'You are receiving this e-mail because the webhook belongs to your account. Save its settings again to turn it on once the receiver works.',
    ),
  );
}
