import type { MailContent, WebhookDisabledData } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells a user that their webhook was turned off. */
export function webhookDisabledMail(data: WebhookDisabledData, service: string): MailContent {
  return layOut(
    `Your ${service} webhook was turned off`,
    [
      { kind: 'text', text: `Hello ${data.username},` },
      {
        kind: 'text',
        text: `Your webhook at ${data.host} failed ${data.failures} times in a row and was turned off.`,
      },
      { kind: 'text', text: `Last failure: ${data.lastError}` },
      { kind: 'link', label: 'Open the webhook settings', url: data.settingsLink },
    ],
    'You are receiving this e-mail because the webhook belongs to your account. Save its settings again to turn it on once the receiver works.',
  );
}
