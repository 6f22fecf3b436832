import type { MailContent, NewAddressData } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** The link that confirms the new address of an account. */
export function newAddressMail(data: NewAddressData, service: string): MailContent {
  return layOut(
    `Confirm your new e-mail address for ${service}`,
    [
      { kind: 'text', text: `Hello ${data.username},` },
      { kind: 'text', text: 'You asked to use this e-mail address for your account.' },
      { kind: 'link', label: 'Use this address', url: data.link },
      { kind: 'text', text: `The link works once and expires after ${data.minutes} minutes.` },
    ],
    'If this was not you, ignore this e-mail; nothing else will happen.',
  );
}
