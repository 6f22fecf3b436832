import type { I18n } from '../../../../routers/base/language/i18n.js';
import type {
  MailContent,
  OpenedDailyData,
  OpenedData,
  ToldItem,
} from '../../../../routers/base/ports/mail/mail-templates.js';
import { type Ending, layOut } from './layout.js';

/** Where mails like this one end. */
export const stopping = (i18n: I18n, url: string): Ending => ({ label: i18n.t('Stop these mails'), url });

/** What happened, in a sentence. */
function sentence({ kind, name, times, isGone }: ToldItem, i18n: I18n): string {
  if (isGone) return i18n.t('“{name}” was opened, and deleted itself', { name });
  return kind === 'request'
    ? i18n.t('{times, plural, one {A file} other {{times} files}} came in by “{name}”', { times, name })
    : i18n.t('“{name}” was opened {times, plural, one {once} other {{times} times}}', { times, name });
}

/** Tells a user that something was opened. */
export function openedMail({ username, link, stopLink, ...item }: OpenedData, i18n: I18n): MailContent {
  const said = sentence(item, i18n);
  return layOut(
    i18n.language,
    said,
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      { kind: 'text', text: `${said}.` },
      { kind: 'link', label: item.isGone ? i18n.t('Show your library') : i18n.t('Show it'), url: link },
    ],
    i18n.t('You are receiving this e-mail because you asked to be told.'),
    stopping(i18n, stopLink),
  );
}

/** Tells a user what was opened, and came in, on a day. */
export function openedDailyMail(
  { username, items, more, link, stopLink }: OpenedDailyData,
  i18n: I18n,
): MailContent {
  const lines = items.map((item) => sentence(item, i18n));
  return layOut(
    i18n.language,
    i18n.t('What was opened since yesterday'),
    [
      { kind: 'text', text: i18n.t('Hello {username},', { username }) },
      {
        kind: 'text',
        text: [...lines, ...(more > 0 ? [i18n.t('and {more} more', { more })] : [])].join('\n'),
      },
      { kind: 'link', label: i18n.t('Show your library'), url: link },
    ],
    i18n.t('You are receiving this e-mail because you asked to be told once a day.'),
    stopping(i18n, stopLink),
  );
}
