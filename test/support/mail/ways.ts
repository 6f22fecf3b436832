import { createTransport } from 'nodemailer';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { MAILGUN_SIGNING_KEY, signRoute } from '../../standins/mailgun.js';

const TOKEN = 'worker-token';

/** A server that takes mail in every way, and an account. */
export interface MailPlace {
  server: TestServer;
  user: TestAccount;
}

type Way = (given: MailPlace, to: string, raw: Buffer) => Promise<number>;

/** Every way in; each answers with a status, 250 counts as 200. */
export const WAYS: Readonly<Record<string, Way>> = {
  'a form of a provider': async ({ server }, to, raw) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...signRoute(), recipient: to, sender: 'ada@example.net' }))
      form.append(name, String(value));
    form.append('body-mime', new Blob([new Uint8Array(raw)]), 'message.eml');
    return (await server.request('POST', '/email/inbound', { form })).status;
  },
  'a worker, as text': (given, to, raw) => byWorker(given, { to, raw: raw.toString('latin1') }),
  'a worker, in base64': (given, to, raw) =>
    byWorker(given, { to, raw: raw.toString('base64'), rawEncoding: 'base64' }),
  SMTP: async ({ server }, to, raw) => {
    const port = server.app.smtpAddress?.port ?? 0;
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    try {
      await transport.sendMail({ envelope: { from: 'ada@example.net', to }, raw });
      return 200;
    } catch (error) {
      return (error as { responseCode?: number }).responseCode ?? 0;
    } finally {
      transport.close();
    }
  },
};

async function byWorker({ server }: MailPlace, fields: object): Promise<number> {
  const json = { from: 'ada@example.net', ...fields };
  const headers = { 'x-email-token': TOKEN };
  return (await server.request('POST', '/email/inbound', { json, headers })).status;
}

/** Starts the server; `env` adds to its configuration. */
export async function openMailPlace(env: Record<string, string> = {}): Promise<MailPlace> {
  const server = await startServer({
    SMTP_LISTEN: '127.0.0.1:0',
    MAIL_DOMAINS: 'mail.example.org',
    MAIL_AUTHENTICATION: 'false',
    MAILGUN_SIGNING_KEY,
    EMAIL_INBOUND_TOKEN: TOKEN,
    ...env,
  });
  return { server, user: await server.account() };
}

/** A new mailbox of the account. */
export async function newBox({ server, user }: MailPlace): Promise<string> {
  return (await server.request('POST', '/email/create', { key: user.key, json: {} })).body.message.email;
}
