import { z } from 'zod';
import type { MessengerUpdate } from '../../../routers/base/ports/chat.js';
import { cutText } from '../../../routers/base/text/cut.js';

/** A text message in an update of the Bot API; other kinds of updates do not match. */
const messageUpdate = z.object({
  update_id: z.number().int().nonnegative(),
  message: z.object({
    text: z.string(),
    chat: z.object({ id: z.number().int(), type: z.literal('private') }),
    from: z.object({
      id: z.number().int(),
      is_bot: z.literal(false).optional(),
      username: z.string().optional(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
    }),
  }),
});

const MAX_NAME_LENGTH = 130;
const START = /^\/start(?:@\w+)?\s+([\w-]{1,64})\s*$/;

/**
 * A private text message from a person to the bot; null for everything else. Groups are ignored: a token sent there
 * is visible to all members.
 */
export function readUpdate(update: unknown): MessengerUpdate | null {
  const parsed = messageUpdate.safeParse(update);
  if (!parsed.success) return null;
  const { text, chat, from } = parsed.data.message;
  const name = [from.first_name, from.last_name].join(' ').replace(/\p{Cc}/gu, '');
  return {
    updateId: parsed.data.update_id,
    chatId: String(chat.id),
    userId: String(from.id),
    username: from.username ?? null,
    name: cutText(name.trim(), MAX_NAME_LENGTH),
    startToken: START.exec(text)?.[1] ?? null,
  };
}
