import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** One mail as an SMTP server received it. */
export interface SmtpMail {
  readonly sender: string;
  readonly recipients: readonly string[];
  /** What reports are to name it by. */
  readonly envelopeId: string | null;
  readonly raw: string;
}

/** A real SMTP server on a free loopback port that stores what it receives. */
export interface SmtpStandin {
  /** `smtp://user:secret@127.0.0.1:<port>` */
  readonly url: string;
  readonly mails: SmtpMail[];
  /** The status for every recipient: 250 accepts, 450 defers, 550 rejects for good. */
  recipientStatus: number;
  /** Other statuses, by address. */
  readonly statuses: Map<string, number>;
  /** Whether the login in `url` is accepted. */
  loginWorks: boolean;
  close(): Promise<void>;
}

/** Starts an SMTP server that requires the login in its `url`. */
export async function startSmtp(): Promise<SmtpStandin> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 500,
    hideDSN: false,
    onAuth: (auth, _session, done) => {
      const right = auth.username === 'user' && auth.password === 'secret' && standin.loginWorks;
      done(right ? null : new Error('Invalid login'), { user: 'user' });
    },
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = standin.statuses.get(address) ?? standin.recipientStatus;
      if (responseCode === 250) return done();
      done(Object.assign(new Error('mailbox unavailable'), { responseCode }));
    },
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        const { mailFrom, rcptTo, dsn } = session.envelope;
        const recipients = rcptTo.map(({ address }) => address);
        const sender = mailFrom === false ? '' : mailFrom.address;
        standin.mails.push({ sender, recipients, envelopeId: dsn?.envid ?? null, raw });
        done();
      }, done);
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const standin: SmtpStandin = {
    url: `smtp://user:secret@127.0.0.1:${port}`,
    mails: [],
    recipientStatus: 250,
    statuses: new Map(),
    loginWorks: true,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return standin;
}
