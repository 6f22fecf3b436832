import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InboundMail } from '../../../routers/base/ports/mail/mail.js';
import { writeMail } from '../../../server/drivers/mail/original.js';

const test = suite<{ folder: string }>('a message made of a mail that came in fields');

test.before.each(async (given) => {
  given.folder = await mkdtemp(join(tmpdir(), 'original-'));
});
test.after.each(({ folder }) => rm(folder, { recursive: true }));

const MAIL: InboundMail = {
  messageId: 'one@example.org',
  recipients: ['bob@example.org'],
  attachments: [],
  sender: 'ada@example.org',
  from: 'ada@example.org',
  to: ['bob@example.org'],
  cc: [],
  replyTo: [],
  subject: 'Files',
  date: null,
  text: 'Hello',
  html: null,
  headers: {},
  authentication: null,
  truncated: false,
};

/** Attachments of a megabyte each, and the streams that were opened for them. */
async function filesIn(folder: string, count: number) {
  const path = join(folder, 'file');
  await writeFile(path, Buffer.alloc(1024 * 1024));
  const opened: ReadStream[] = [];
  const open = () => {
    const stream = createReadStream(path);
    opened.push(stream);
    return stream;
  };
  const attachments = Array.from({ length: count }, (_, index) => ({
    ...{ filename: `${index}.bin`, contentType: 'application/octet-stream', size: 1024 * 1024, sha256: null },
    ...{ contentId: null, disposition: null, withheld: null, open },
  }));
  return { attachments, opened };
}

test('leaves no file open when nobody takes the rest of it', async ({ folder }) => {
  const { attachments, opened } = await filesIn(folder, 3);
  const message = writeMail(MAIL, attachments);
  await once(message, 'readable');
  message.destroy();
  await Promise.all(opened.map((stream) => (stream.closed ? undefined : once(stream, 'close'))));
  assert.equal(
    opened.map(({ destroyed }) => destroyed),
    [true, true, true],
  );
});

test('leaves no file open when nobody waits until it begins', async ({ folder }) => {
  const { attachments, opened } = await filesIn(folder, 1);
  const message = writeMail(MAIL, attachments).destroy();
  await once(message, 'close');
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all(opened.map((stream) => (stream.closed ? undefined : once(stream, 'close'))));
  assert.ok(opened.every(({ destroyed }) => destroyed));
});

test.run();
