import { startServer, type TestServer } from '../../harness.js';
import { type DiscordStandin, startDiscord } from '../../standins/discord.js';
import { MAILGUN_DOMAIN, MAILGUN_SIGNING_KEY } from '../../standins/mailgun.js';
import { BOT_NAME, BOT_TOKEN, startTelegram, type TelegramStandin } from '../../standins/telegram.js';
import { chatEnv } from '../../support/accounts/chatapp.js';
import { until } from '../../support/until.js';

/** A server with every optional service configured, so that no operation ends at "not set up". */
export interface FuzzedPlace {
  readonly server: TestServer;
  /** Clears what the stand-ins record of each request. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * Starts the server and the services it talks to. Rate limits are off: they would hide the code behind them.
 */
export async function openFuzzedPlace(): Promise<FuzzedPlace> {
  const [discord, telegram]: [DiscordStandin, TelegramStandin] = await Promise.all([
    startDiscord(),
    startTelegram(),
  ]);
  const server = await startServer({
    // The cause of a 500 is reported with it.
    LOG_LEVEL: 'error',
    TRUST_PROXY: 'true',
    MAILGUN_DOMAIN,
    MAILGUN_SIGNING_KEY,
    EMAIL_INBOUND_TOKEN: 'worker-token',
    MESSENGER_BOT_TOKEN: BOT_TOKEN,
    MESSENGER_BOT_NAME: BOT_NAME,
    MESSENGER_API_URL: telegram.url,
    MESSENGER_WEBHOOK: 'true',
    ...chatEnv(discord),
  });
  // Loaded on first use; another test may just be building them.
  await until(async () => (await server.request('GET', '//web/login')).status === 200);
  return {
    server,
    forget: () => {
      for (const { requests } of [discord, telegram]) requests.length = 0;
      telegram.sent.length = 0;
    },
    close: async () => {
      await server.close();
      await Promise.all([discord.close(), telegram.close()]);
    },
  };
}
