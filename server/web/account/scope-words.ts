import { msg } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import type { Scope } from '../../../routers/core/scopes.js';

/** What scopes allow, as the rest of "it may …". */
export const SCOPE_LABELS: Readonly<Record<Scope, Message>> = {
  'images:read': msg('see images and files'),
  'images:write': msg('upload, change and delete images and files'),
  'pastes:read': msg('see pastes'),
  'pastes:write': msg('create, change and delete pastes'),
  'urls:read': msg('see short links and their visits'),
  'urls:write': msg('create, change and delete short links'),
  'mail:read': msg('read mailboxes'),
  'mail:write': msg('create, change and delete mailboxes'),
  'stats:read': msg('see statistics'),
  'account:read': msg('see this account and its settings'),
  'account:write': msg('change this account and its settings'),
  'admin:read': msg('see everything that administrators see'),
  'admin:write': msg('change everything that administrators change'),
};

/** What scopes allow that their label does not tell (docs/access.md). */
export const SCOPE_HINTS: Readonly<Partial<Record<Scope, Message>>> = {
  'mail:write': msg(
    'It also deletes mails, answers them and, for administrators, sends new ones; it sets forwarding only with mail:read.',
  ),
  'admin:read': msg(
    'It sees all accounts and the audit log; private pictures and texts of pastes only with images:read and pastes:read.',
  ),
  'admin:write': msg(
    'It sets passwords of accounts with a lower role and deletes them: give it only to what you trust with those.',
  ),
};
