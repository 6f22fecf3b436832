import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { contextOutside } from '../../../routers/core/acting.js';
import { createAccount } from '../../../routers/features/auth/accounts.js';
import { StagedUpload } from '../../../routers/features/image/upload/staged.js';
import { smtpReceiver } from '../../../routers/features/mail/arrival/smtp.js';
import { createCaller } from '../../../routers/index.js';
import { DEMO_ACCOUNTS } from '../../shared/demo.js';
import type { OpenServices } from '../services.js';
import { drawPictures } from './pictures.js';
import { LINKS, MAILS, PASTES } from './texts.js';

const MAX_MAIL_BYTES = 1024 * 1024;

/** Makes the accounts and items of the demo, as people make theirs. */
export async function seed(app: OpenServices): Promise<void> {
  const ids: number[] = [];
  for (const { username, password, role } of DEMO_ACCOUNTS) {
    const passwordHash = await app.passwords.hash(password);
    const draft = { username, email: `${username}@example.org`, passwordHash, role } as const;
    ids.push(
      await app.db.write((trx) =>
        createAccount(app, trx, { ...draft, status: 'ACTIVE', invitedBy: null, apiKey: null }),
      ),
    );
  }
  const [first = 0] = ids;
  await fill(app, first);
}

async function fill(app: OpenServices, id: number): Promise<void> {
  const [{ username, role }] = DEMO_ACCOUNTS;
  const account = { ...{ id, username, role, active: true }, language: null, hasWebhook: false } as const;
  const api = createCaller(
    contextOutside(app, async () => ({ ...account, pause: null, sessionId: null, key: null }), {
      onFinished: () => undefined,
    }),
  );
  const files: string[] = [];
  for (const { name, description: desc, tags, bytes } of await drawPictures()) {
    const blob = await app.storage.blobs.stage(Readable.from([bytes]), { maxBytes: bytes.length });
    try {
      const file = new StagedUpload(blob, name, null);
      const made = await api.image.upload({ file, uniqueId: null, desc, tags: [...tags], source: 'WEB' });
      files.push(made.uniqueId);
    } finally {
      await blob.discard();
    }
  }
  await api.collection.create({
    uniqueId: null,
    title: 'Weekend at the lake',
    description: 'Three days in June',
    items: files.slice(0, 3).map((uniqueId) => ({ uniqueId })),
  });
  for (const { tags, ...paste } of PASTES)
    await api.paste.create({ uniqueId: null, ...paste, tags: [...tags] });
  for (const link of LINKS) await api.url.create(link);
  const { email } = await api.email.create({ name: 'hello' });
  await receive(app, email);
}

async function receive(app: OpenServices, to: string): Promise<void> {
  const { message } = smtpReceiver(app, MAX_MAIL_BYTES);
  const peer = { address: '192.0.2.1', name: 'mail.example.org', secure: true, trusted: true, sandbox: null };
  for (const mail of MAILS) {
    const envelope = { sender: mail.address, recipients: [to] };
    const verdict = await message(Readable.from([Buffer.from(written(mail, to))]), envelope, peer);
    if (verdict !== 'accepted') throw new Error(`a mail of the demo was not taken: ${verdict}`);
  }
}

function written({ name, address, subject, text, html }: (typeof MAILS)[number], to: string): string {
  const edge = randomUUID();
  const head = [
    `From: ${name} <${address}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomUUID()}@${address.slice(address.indexOf('@') + 1)}>`,
    'MIME-Version: 1.0',
  ];
  const part = (type: string, content: string) =>
    `Content-Type: text/${type}; charset=utf-8\r\n\r\n${content}\r\n`;
  if (html === null) return `${head.join('\r\n')}\r\n${part('plain', text)}`;
  return (
    `${head.join('\r\n')}\r\nContent-Type: multipart/alternative; boundary="${edge}"\r\n\r\n` +
    `--${edge}\r\n${part('plain', text)}--${edge}\r\n${part('html', html)}--${edge}--\r\n`
  );
}
