import { msgc, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { Badge } from '../components/parts.js';
import type { MailboxRecord } from '../records.js';

const WORDS: Readonly<Record<MailboxRecord['status'], Message>> = {
  OPEN: msgc('mailbox', 'open'),
  SUSPENDED: msgc('mailbox', 'suspended'),
  CLOSED: msgc('mailbox', 'closed'),
  EXPIRED: msgc('mailbox', 'expired'),
  DELETED: msgc('mailbox', 'deleted'),
};

/** Whether a mailbox receives mail. */
export function Status({ status }: { readonly status: MailboxRecord['status'] }) {
  return <Badge look={status === 'OPEN' ? 'good' : 'warn'}>{translateMessage(WORDS[status])}</Badge>;
}
