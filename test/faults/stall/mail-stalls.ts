import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { startDns } from '../../standins/dns.js';
import { freePort } from '../../support/servers/server-process.js';
import type { Place } from '../servers/place.js';
import { during, type Noticed, others, peakOf } from './stalls.js';
import { WORST_MAILS, type WorstMail } from './worst-mails.js';

const TOKEN = 'stall-worker';

/** What others noticed while a mail came in, and whether it was stored. */
export interface NoticedMail extends Noticed {
  readonly stored: number;
}

/** Every worst mail of some names comes by SMTP and by a worker, while somebody else asks for small things. */
export async function tryMails(
  place: Place,
  of: (mail: WorstMail) => boolean,
  noticed: (result: NoticedMail) => void,
): Promise<void> {
  const dns = await startDns();
  const port = await freePort();
  const env = {
    ...{ EMAIL_INBOUND_TOKEN: TOKEN, LOG_LEVEL: 'silent', MAIL_DOMAINS: 'mail.example.org' },
    ...{ SMTP_LISTEN: `127.0.0.1:${port}`, SMTP_MAX_BYTES: '30000000', MAIL_RESOLVERS: dns.address },
  };
  const server = await place.start({ env });
  const owner = place.clientOf(server);
  const { uniqueId: small } = await owner.json('POST', '/url/create', { url: 'https://example.org/' });
  const probe = others(owner, small);
  for (const mail of WORST_MAILS.filter(of)) {
    const { message: mailbox } = await owner.json('POST', '/email/create', {});
    const head = (way: string) =>
      `From: a@x.example\r\nSubject: worst\r\nMessage-ID: <${way}.${Math.random()}@x.example>\r\n`;
    // Made before others are asked for something: whoever measures must not be busy.
    const raw = mail.raw();
    const bytes = Buffer.from(`${head('smtp')}${raw}\r\n.\r\n`, 'latin1');
    const worked = { from: 'a@x.example', to: mailbox.email, raw: head('worker') + raw };
    const body = Buffer.from(JSON.stringify(worked));
    const token = { 'x-email-token': TOKEN };
    const load = Promise.all([
      deliver(port, mailbox.email, bytes),
      owner.send('POST', '/email/inbound', 'application/json', body, token),
    ]);
    const probes = await during(probe, load);
    const answer = await owner.send('GET', `/email/${mailbox.email}/messages`);
    const list = JSON.parse(answer.body.toString()).message;
    const peakMib = await peakOf(server);
    noticed({ name: `mail: ${mail.name}`, probes, peakMib, stored: list.totalElements });
  }
  await dns.close();
  if ((await server.stop()) !== 0) throw new Error(`the server ended badly:\n${server.output()}`);
}

/** A conversation by SMTP; what it is answered with is seen by what is stored. */
async function deliver(port: number, to: string, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  for (const said of [
    'EHLO x.example',
    'MAIL FROM:<a@x.example>',
    `RCPT TO:<${to}>`,
    'DATA',
    bytes,
    'QUIT',
  ]) {
    for (let line = '-'; /^(?:\d{3})?-/.test(line); ) line = (await lines.next()).value ?? '';
    socket.write(typeof said === 'string' ? `${said}\r\n` : said);
  }
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}
