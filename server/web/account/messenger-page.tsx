import { LinkButton } from '../components/button.js';
import { Card } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
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
    <Settings site={site} title={`Link ${messenger}`}>
      <Card>
        <p>
          Send <code>/start {bot.token}</code> to <MessengerLink bot={bot} />, then come back.
        </p>
        <LinkButton href="/web/settings/security">Done</LinkButton>
      </Card>
    </Settings>
  );
}
