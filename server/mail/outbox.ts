import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailTransport } from '../../routers/ports.js';
import type { Logger } from '../logger.js';
import { checkMail } from './check.js';
import { compose } from './compose.js';

/**
 * The embedded driver: one RFC 5322 file a mail in `<dataDir>/outbox` (mode 0700), complete and durable
 * before `send` returns. The log says where the file is and never what it says.
 */
export function openOutbox(dataDir: string, from: string, log: Logger): MailTransport {
  const folder = join(dataDir, 'outbox');
  return {
    name: 'outbox',
    async send(mail) {
      const message = await compose(checkMail(mail, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await chmod(folder, 0o700);
      const file = join(folder, `${stamp(new Date())}-${randomBytes(6).toString('hex')}.eml`);
      await writeDurably(folder, file, message);
      log.info({ file }, 'mail written to the outbox');
    },
  };
}

/** `20260131T235959123Z`: files sort by time. */
function stamp(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, '');
}

/** Nobody ever sees half a file: the bytes reach the disk under another name first. */
async function writeDurably(folder: string, file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.part`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
