import { z } from 'zod';
import type { ChatLink } from '../../../db/account/chat-link.js';
import { iso } from '../../base/text/dates.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import type { Services } from '../../core/context.js';

/** A linked chat account (contract §3, Chat-app connection). The provider's tokens are never sent. */
export const chatConnection = z.object({
  chatappId: z.string(),
  discordId: z.string(),
  username: z.string(),
  globalName: z.string().nullable(),
  avatar: z.url(),
  email: z.string().nullable(),
  connectedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  user: userSummary,
});
type ChatConnection = z.output<typeof chatConnection>;

/** A linked chat account as the API describes it. */
export async function toChatConnection(app: Services, link: ChatLink): Promise<ChatConnection> {
  return {
    chatappId: link.chatId,
    discordId: link.chatId,
    username: link.username,
    globalName: link.globalName,
    avatar: link.avatar,
    email: link.email,
    connectedAt: iso(link.connectedAt),
    expiresAt: iso(link.expiresAt),
    user: await summaryOf(app, link.userId),
  };
}
