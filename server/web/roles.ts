import { msg, msgc } from '../../routers/base/language/i18n.js';
import type { Message } from '../../routers/base/language/message.js';
import type { Role } from './records.js';

/** What roles are called on pages. */
export const ROLE_WORDS: Readonly<Record<Role, Message>> = {
  OWNER: msgc('role', 'Owner'),
  ADMIN: msg('Administrator'),
  MODERATOR: msg('Moderator'),
  USER: msgc('role', 'User'),
  TESTER: msg('Tester'),
  GUEST: msg('Guest (read-only)'),
  BANNED: msgc('role', 'Banned'),
  DELETED: msgc('role', 'Deleted'),
};
