/**
 * The process is killed again and again while mail comes in by SMTP. Callers must see: a mail that was answered with
 * 250 is there after the next start, once; everything else may be sent again.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort, OWNER, startServer } from '../support/servers/server-process.js';
import { until } from '../support/until.js';

const DELIVERIES = 200;
const AT_ONCE = 8;
const KILLS = 4;
/** The delay before a sender goes on after a failure, in milliseconds. */
const PAUSE_MS = 20;

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
    const waiting = Array.from({ length: DELIVERIES }, (_, index) => `<kill-${index}@x>`);
    const deliver = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
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
          // Killed meanwhile: nothing was promised, so its sender tries again later.
          waiting.push(id);
          await delay(PAUSE_MS);
        } finally {
          transport.close();
        }
      }
    };
    const killAgain = async (): Promise<void> => {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await until(() => promised.size >= (kill * DELIVERIES) / (KILLS + 1));
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
    assert.is(promised.size, DELIVERIES);
    assert.equal(found.sort(), [...promised].sort());
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.run();
