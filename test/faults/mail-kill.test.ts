/**
 * The process is killed again and again while mail comes in by SMTP. Callers must see: a mail that was answered with
 * 250 is there after the next start, once; everything else may be sent again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort, OWNER, startServer } from '../support/servers/server-process.js';

const DELIVERIES = 200;
const AT_ONCE = 8;
const KILLS = 4;

test('a mail that got its 250 survives every kill, and is there once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-mail-kill-'));
  const smtpPort = await freePort();
  const env = {
    SMTP_LISTEN: `127.0.0.1:${smtpPort}`,
    MAIL_DOMAINS: 'mail.example.org',
    MAIL_AUTHENTICATION: 'off',
  };
  let server = await startServer({ dataDir, env });
  const call = async (method: string, path: string, json: object) => {
    const headers = { 'x-api-key': OWNER.OWNER_API_KEY, 'content-type': 'application/json' };
    const answer = await fetch(`${server.origin}/v1${path}`, { method, headers, body: JSON.stringify(json) });
    return answer.status === 204 ? [] : (await answer.json()).message;
  };
  try {
    const { email } = await call('POST', '/email/create', { name: 'kept' });
    const promised = new Set<string>();
    let next = 0;
    const deliver = async (): Promise<void> => {
      while (next < DELIVERIES) {
        const id = `<kill-${next}@x>`;
        next += 1;
        const transport = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
        const attachments = [{ filename: 'a.bin', content: Buffer.from(id) }];
        try {
          await transport.sendMail({
            from: 'a@b.example',
            to: email,
            messageId: id,
            subject: id,
            text: id,
            attachments,
          });
          promised.add(id.slice(1, -1));
        } catch {
          // Killed meanwhile: nothing was promised.
        } finally {
          transport.close();
        }
      }
    };
    const killAgain = async (): Promise<void> => {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        while (next < (kill * DELIVERIES) / (KILLS + 1))
          await new Promise((resolve) => setTimeout(resolve, 5));
        await server.kill();
        server = await startServer({ dataDir, env });
      }
    };
    await Promise.all([killAgain(), ...Array.from({ length: AT_ONCE }, deliver)]);
    const found: string[] = [];
    for (let more = true; more; ) {
      const messages = await call('POST', '/email/getmissing', { mail: email, messageIds: found });
      more = messages.length > 0;
      for (const { messageId, attachments } of messages) {
        assert.is(Buffer.from(attachments[0].contentBase64, 'base64').toString(), `<${messageId}>`);
        found.push(messageId);
      }
    }
    assert.is(new Set(found).size, found.length);
    assert.ok(promised.size > 0);
    assert.equal(
      [...promised].filter((id) => !found.includes(id)),
      [],
    );
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.run();
