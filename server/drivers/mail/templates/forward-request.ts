import type { ForwardRequestData, MailContent } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Asks the holder of an address whether the mail of a mailbox may be forwarded there. */
export function forwardRequestMail(data: ForwardRequestData): MailContent {
  return layOut(
    `Forward the mail of ${data.mailbox} to you?`,
    [
      {
        kind: 'text',
        text: `${data.username} wants everything that ${data.mailbox} receives to be forwarded to you.`,
      },
      { kind: 'link', label: 'See the request and agree', url: data.link },
      {
        kind: 'text',
        text: `The link works once and expires after ${data.hours} hours. Nothing is forwarded before.`,
      },
    ],
    'If you do not know what this is about, ignore this e-mail.',
  );
}
