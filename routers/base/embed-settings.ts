import { z } from 'zod';
import type { User } from '../../db/account/account.js';

/** How a user's uploads look in link previews and webhook messages (contract §3, Webhook settings). */
export const embedSettings = z.object({
  enabled: z.boolean(),
  title: z.string().nullable(),
  titleUrl: z.string().nullable(),
  description: z.string().nullable(),
  /** `#rgb`, `#rrggbb` or `random`. */
  color: z.string().nullable(),
  authorName: z.string().nullable(),
});
export type EmbedSettings = z.output<typeof embedSettings>;

/** The stored embed settings of an account; null if there are none. */
export function embedSettingsOf(user: User): EmbedSettings | null {
  if (Object.keys(user.embedSettings).length === 0) return null;
  const stored = user.embedSettings;
  const text = (key: string): string | null =>
    typeof stored[key] === 'string' ? (stored[key] as string) : null;
  return {
    enabled: stored.enabled === true,
    title: text('title'),
    titleUrl: text('titleUrl'),
    description: text('description'),
    color: text('color'),
    authorName: text('authorName'),
  };
}
