import { Badge } from '../components/parts.js';
import type { MailboxRecord } from '../records.js';

/** Whether a mailbox receives mail. */
export function Status({ status }: { readonly status: MailboxRecord['status'] }) {
  return <Badge look={status === 'OPEN' ? 'good' : 'warn'}>{status.toLowerCase()}</Badge>;
}
