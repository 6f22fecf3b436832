/** Social profiles of users on other sites (contract §3, Socials). */
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

/** The name of one of these sites. */
export type Social = (typeof SOCIALS)[number];
