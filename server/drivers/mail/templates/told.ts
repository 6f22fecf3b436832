import type { I18n } from '../../../../routers/base/language/i18n.js';
import type { Mails, ToldItem } from '../../../../routers/base/ports/mail/mail-templates.js';
import { greet, link, list, say } from './layout.js';

/** What happened, in a sentence. */
function sentence({ kind, name, times, isGone }: ToldItem, { t }: I18n): string {
  if (isGone) return t('“{name}” was opened, and deleted itself', { name });
  return kind === 'request'
    ? t('{times, plural, one {A file} other {{times} files}} came in by “{name}”', { times, name })
    : t('“{name}” was opened {times, plural, one {once} other {{times} times}}', { times, name });
}

/** The mails about what others opened and sent. */
export function toldMails(i18n: I18n): Pick<Mails, 'opened' | 'openedDaily' | 'filesReceived'> {
  const { t } = i18n;
  const stopping = (url: string) => ({ label: t('Stop these mails'), url });
  return {
    opened: ({ username, link: url, stopLink, ...item }) => {
      const said = sentence(item, i18n);
      return greet(
        username,
        i18n,
        said,
        [say(`${said}.`), link(item.isGone ? t('Show your library') : t('Show it'), url)],
        t('You are receiving this e-mail because you asked to be told.'),
        stopping(stopLink),
      );
    },
    openedDaily: ({ username, items, more, link: url, stopLink }) => {
      const lines = items.map((item) => sentence(item, i18n));
      return greet(
        username,
        i18n,
        t('What was opened since yesterday'),
        [list(lines, more, i18n), link(t('Show your library'), url)],
        t('You are receiving this e-mail because you asked to be told once a day.'),
        stopping(stopLink),
      );
    },
    filesReceived: ({ username, title, names, total, link: url, stopLink }) =>
      greet(
        username,
        i18n,
        t('{total, plural, one {A file} other {{total} files}} arrived for you', { total }),
        [
          say(
            t(
              '{total, plural, one {A file has} other {{total} files have}} arrived by your request link “{title}”:',
              { total, title },
            ),
          ),
          list(names, total - names.length, i18n),
          link(t('See what came in'), url),
        ],
        t('You are receiving this e-mail because the request link belongs to your account.'),
        stopping(stopLink),
      ),
  };
}
