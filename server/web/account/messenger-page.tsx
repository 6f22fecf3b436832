import { t } from '../../../routers/base/language/i18n.js';
import { LinkButton } from '../components/button.js';
import { Card } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { type BotInvitation, MessengerLink } from '../verification/verify-page.js';
import { Settings } from './settings.js';

/** Instructions for linking a messenger account: a message to the bot. */
export function MessengerPage({
  site,
  messenger,
  bot,
}: PageProps<{
  /** What the messenger is called. */
  readonly messenger: string;
  readonly bot: BotInvitation;
}>) {
  return (
    <Settings site={site} title={t('Link {messenger}', { messenger })}>
      <Card>
        <p>
          {rich('Send {code} to {bot}, then come back.', {
            code: <code>/start {bot.token}</code>,
            bot: <MessengerLink bot={bot} />,
          })}
        </p>
        <LinkButton href="/web/settings/security">{t('Done')}</LinkButton>
      </Card>
    </Settings>
  );
}
