import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { LinksBrokenData, MailContent } from '../../../../routers/base/ports/mail/mail-templates.js';
import { layOut } from './layout.js';

/** Tells a user which links lead nowhere. */
export function linksBrokenMail(
  { username, total, targets, link }: LinksBrokenData,
  i18n: I18n,
): MailContent {
  const more = total - targets.length;
  const subject = i18n.t(
    '{total, plural, one {A link of yours leads} other {{total} links of yours lead}} nowhere',
    {
      total,
    },
  );
  return layOut(
    i18n.language,
    subject,
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      { kind: 'text', text: i18n.t('These targets of your links did not answer at the last look:') },
      {
        kind: 'text',
        text: [...targets, ...(more > 0 ? [i18n.t('and {more} more', { more })] : [])].join('\n'),
      },
      { kind: 'link', label: i18n.t('See these links'), url: link },
    ],
    i18n.t(
      'You are receiving this e-mail because you asked for it, once a week. You can turn it off under Settings, Links.',
    ),
  );
}
