/** Where people can be found elsewhere (contract §3, Socials). */
export const SOCIALS = [
  'website',
  'twitter',
  'github',
  'gitlab',
  'discord',
  'telegram',
  'vk',
  'facebook',
  'instagram',
  'youtube',
  'twitch',
  'steam',
  'reddit',
  'linkedin',
  'tiktok',
  'snapchat',
  'whatsapp',
  'soundcloud',
  'spotify',
  'threads',
  'email',
  'messenger',
] as const;

/** One of the known places. */
export type Social = (typeof SOCIALS)[number];
