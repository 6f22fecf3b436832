import type { ChatServices } from '../../../routers/base/ports/chat.js';
import type { Log } from '../../../routers/base/ports/log.js';
import { openDiscord } from './discord.js';
import type { ChatOptions } from './options.js';
import { openTelegram } from './telegram.js';

/** Opens the chat application and the messenger, as configured: one provider of each. */
export const openChat = ({ chatapp, messenger }: ChatOptions, log: Log): ChatServices => ({
  app: openDiscord(chatapp),
  messenger: openTelegram(messenger, log),
});
