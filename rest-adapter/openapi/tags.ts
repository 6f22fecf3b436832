import type { Json } from './operation.js';

/** The groups of operations, by the first segment of their paths. */
const TAGS: Readonly<Record<string, string>> = {
  site: 'The service itself, and short links of any kind',
  auth: 'Registration, verification, sign-in, sessions and two-step sign-in',
  user: 'Accounts, their settings, API keys and pictures',
  image: 'Images, video and other files; playlists of them',
  collection: 'Collections of files, and the links that share them',
  files: 'File packs, as separate front ends make and show them',
  request: 'Links by which others upload to an account',
  paste: 'Text pastes',
  url: 'Short links and their visits',
  stats: 'Statistics',
  email: 'Mailboxes and mails',
  chatapp: 'Sign-in and linking with a chat application',
  discord: 'The same as `chatapp`, under its older name',
  telegram: 'Linking with a messenger',
  admin: 'Administration',
  web: 'Pages of the web interface',
};

/** The declarations of every tag. */
export const DECLARED_TAGS: readonly Json[] = Object.entries(TAGS).map(([name, description]) => ({
  name,
  description,
}));

/** The tag of an operation; what has no group of its own belongs to the site. */
export function tagOf(path: string): string {
  const first = path.split('/')[1] ?? '';
  return first in TAGS ? first : 'site';
}
