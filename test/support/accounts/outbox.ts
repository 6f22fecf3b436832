import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '../../harness.js';
import { type ReadableMail, readMime } from '../../standins/mime.js';

/** The mails to an address, oldest first, once everything that is queued has been sent. */
export async function mailsTo(server: TestServer, address: string): Promise<ReadableMail[]> {
  await server.app.services.jobs.settle();
  return mailsIn(server.dataDir, address);
}

/** The mails to an address that are in the outbox now, oldest first. */
export async function mailsIn(dataDir: string, address: string): Promise<ReadableMail[]> {
  const folder = join(dataDir, 'outbox');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const mails = await Promise.all(
    files.map(async (name) => readMime(await readFile(join(folder, name), 'utf8'))),
  );
  return mails.filter((mail) => mail.to.includes(address));
}

/** The newest mail to an address; fails the test if there is none. */
export async function newestMailTo(server: TestServer, address: string): Promise<ReadableMail> {
  const mail = (await mailsTo(server, address)).at(-1);
  if (mail === undefined) throw new Error(`no mail to ${address}`);
  return mail;
}

/**
 * The code of the newest link mailed to an address; fails the test if there is none. Mails of other kinds are
 * skipped: several queued mails arrive in any order.
 */
export async function linkMailedTo(server: TestServer, address: string): Promise<string> {
  const code = (await mailsTo(server, address)).map(linkCodeIn).findLast(Boolean);
  if (code === undefined) throw new Error(`no link was mailed to ${address}`);
  return code;
}

/** The six digits of a verification mail. */
export const digitsIn = (mail: ReadableMail): string => /^\s*(\d{6})\s*$/m.exec(mail.text)?.[1] ?? '';

/** The long code of the link in a mail. */
export const linkCodeIn = (mail: ReadableMail): string => /[?&]code=([\w-]+)/.exec(mail.text)?.[1] ?? '';
