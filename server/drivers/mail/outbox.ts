import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../routers/base/ports/log.js';
import type { MailTransport } from '../../../routers/base/ports/mail/mail.js';
import { putFile } from '../storage/disk/durable-file.js';
import { makeFolder } from '../storage/disk/folders.js';
import { checkMail } from './check.js';
import { compose } from './compose.js';
import type { Sending, TransportProvider } from './provider.js';

/**
 * The embedded driver: one RFC 5322 file per mail in `<dataDir>/outbox` (mode 0700), complete and durable before
 * `send` returns. The log contains the path of the file, never its content.
 */
function openOutbox(dataDir: string, from: string, log: Log): MailTransport {
  const folder = join(dataDir, 'outbox');
  return {
    label: null,
    async send(mail) {
      const message = await compose(checkMail(mail, from));
      await makeFolder(folder);
      await chmod(folder, 0o700);
      const file = join(folder, `${stamp(new Date())}-${randomBytes(6).toString('hex')}.eml`);
      await putFile(file, [message]);
      log.info({ file }, 'mail written to the outbox');
    },
  };
}

/** `20260131T235959123Z`: files sort by time. */
function stamp(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, '');
}

/** Files instead of mails. */
export const outbox = {
  variables: {},
  requires: [],
  open: (_values: unknown, { dataDir, from, log }: Sending) => openOutbox(dataDir, from, log),
} satisfies TransportProvider<Record<never, never>>;
