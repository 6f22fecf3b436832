import { msgc, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { Badge } from '../components/parts.js';
import type { MailboxRecord } from '../records.js';

type Status = MailboxRecord['status'];

const WORDS: Readonly<Record<Exclude<Status, 'OPEN'>, Message>> = {
  SUSPENDED: msgc('mailbox', 'suspended'),
  CLOSED: msgc('mailbox', 'closed'),
  EXPIRED: msgc('mailbox', 'expired'),
  DELETED: msgc('mailbox', 'deleted'),
};

/** Says of a mailbox that it receives no mail; null if it does, as most do. */
export const statusBadge = (status: Status) =>
  status === 'OPEN' ? null : (
    <Badge key="status" look="warn">
      {translateMessage(WORDS[status])}
    </Badge>
  );
