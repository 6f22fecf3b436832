import type { FilesReceivedData, MailContent } from '../../../../routers/ports/mail-templates.js';
import { layOut } from './layout.js';

/** Tells a user what others sent by a request link. */
export function filesReceivedMail({ username, title, names, total, link }: FilesReceivedData): MailContent {
  const more = total - names.length;
  const what = total === 1 ? 'A file has' : `${total} files have`;
  return layOut(
    total === 1 ? 'A file arrived for you' : `${total} files arrived for you`,
    [
      { kind: 'text', text: `Hello ${username},` },
      { kind: 'text', text: `${what} arrived by your request link “${title}”:` },
      { kind: 'text', text: [...names, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') },
      { kind: 'link', label: 'See what came in', url: link },
    ],
    'You are receiving this e-mail because the request link belongs to your account. You can turn these mails off in its settings.',
  );
}
