import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { FilesReceivedData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';
import { stopping } from './opened.js';

/** Tells a user what others sent by a request link. */
export function filesReceivedMail(
  { username, title, names, total, link, stopLink }: FilesReceivedData,
  i18n: I18n,
): MailContent {
  const more = total - names.length;
  return layOut(
    i18n.language,
    i18n.t('{total, plural, one {A file} other {{total} files}} arrived for you', { total }),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: i18n.t(
          '{total, plural, one {A file has} other {{total} files have}} arrived by your request link “{title}”:',
          { total, title },
        ),
      },
      {
        kind: 'text',
        text: [...names, ...(more > 0 ? [i18n.t('and {more} more', { more })] : [])].join('\n'),
      },
      { kind: 'link', label: i18n.t('See what came in'), url: link },
    ],
    i18n.t('You are receiving this e-mail because the request link belongs to your account.'),
    stopping(i18n, stopLink),
  );
}
