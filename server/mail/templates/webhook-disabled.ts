import type { MailContent, WebhookDisabledData } from '../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells somebody that their webhook was switched off. */
export function webhookDisabledMail(data: WebhookDisabledData): MailContent {
  return layOut(
    'Your Holdall webhook was switched off',
    [
      { kind: 'text', text: `Hello ${data.username},` },
      {
        kind: 'text',
        text: `your webhook at ${data.host} failed ${data.failures} times in a row and was switched off.`,
      },
      { kind: 'text', text: `The last failure: ${data.lastError}` },
      { kind: 'link', label: 'Look at the settings', url: data.settingsLink },
    ],
    'You get this mail because the webhook belongs to your account. Switch it on again when the receiver works.',
  );
}
