import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Log } from '../../../../routers/base/ports/log.js';
import type { Peer, SmtpReceiver, SmtpVerdict } from '../../../../routers/base/ports/mail/smtp.js';
import { ConfigError } from '../../../shared/config-error.js';
import type { SmtpInOptions } from './options.js';
import { oneOf } from './trusted.js';

/** A running receiver. */
export interface SmtpIn {
  readonly address: AddressInfo;
  /** Lets messages that are arriving be finished, and closes everything else. */
  close(): Promise<void>;
}

const MAX_CLIENTS = 200;
const MAX_CLIENTS_OF_ADDRESS = 20;
const MAX_RECIPIENTS = 100;
/** Longer than a message takes that arrives when the process is told to end; the process ends after 27 seconds. */
const CLOSE_MS = 20_000;
const IDLE_MS = 5 * 60_000;
/** Renewed certificates are used without a restart. */
const RENEW_MS = 60 * 60_000;

/** The answers of RFC 5321 with the codes of RFC 3463. */
const ANSWERS: Readonly<Record<Exclude<SmtpVerdict, 'accepted'>, readonly [number, string]>> = {
  unknown: [550, '5.1.1 No such mailbox here'],
  closed: [550, '5.2.1 This mailbox takes no mail'],
  foreign: [550, '5.7.1 Mail for this domain is not taken here'],
  full: [452, '4.2.2 This mailbox is full'],
  'too-large': [552, '5.3.4 The message is too large'],
  loop: [554, '5.4.6 The message goes round in circles'],
  'too-much': [450, '4.7.1 Too much mail, try again later'],
  away: [451, '4.3.0 Not possible now, try again later'],
};

const refusal = (verdict: Exclude<SmtpVerdict, 'accepted'>): Error => {
  const [responseCode, text] = ANSWERS[verdict];
  return Object.assign(new Error(text), { responseCode });
};

const answer = (verdict: SmtpVerdict, done: (error?: Error | null) => void): void =>
  verdict === 'accepted' ? done() : done(refusal(verdict));

/**
 * Receives mail by SMTP, with STARTTLS if there is a certificate. Never relays: only recipients that the domain accepts
 * are. Several processes of one start share the port. Throws a `ConfigError` with advice if it cannot listen.
 */
export async function openSmtpIn(
  options: NonNullable<SmtpInOptions>,
  { name, receiver, log }: { readonly name: string; readonly receiver: SmtpReceiver; readonly log: Log },
): Promise<SmtpIn> {
  const { host, port, tls, maxBytes, trusted } = options;
  const isTrusted = oneOf(trusted);
  const certificate = tls === null ? null : await readCertificate(tls);
  const counts = new Map<string, number>();
  /** Sessions whose message is arriving or being stored. */
  const busy = new Set<SMTPServerSession>();
  let isEnding = false;
  const server = new SMTPServer({
    name,
    banner: 'Holdall',
    size: maxBytes,
    hideENHANCEDSTATUSCODES: false,
    maxClients: MAX_CLIENTS,
    maxRecipients: MAX_RECIPIENTS,
    authOptional: true,
    // Without encryption on this machine only: see `hideSignIn`.
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: certificate === null ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    closeTimeout: CLOSE_MS,
    socketTimeout: IDLE_MS,
    logger: false,
    ...certificate,
    onConnect(session, done) {
      writeOwnCodes(server, session);
      hideSignIn(server, session);
      const count = (counts.get(session.remoteAddress) ?? 0) + 1;
      counts.set(session.remoteAddress, count);
      if (count <= MAX_CLIENTS_OF_ADDRESS || isTrusted(session.remoteAddress)) return done();
      done(Object.assign(new Error('4.7.0 Too many connections from your address'), { responseCode: 421 }));
    },
    onClose({ remoteAddress }) {
      const left = (counts.get(remoteAddress) ?? 1) - 1;
      if (left <= 0) counts.delete(remoteAddress);
      else counts.set(remoteAddress, left);
    },
    onAuth: ({ username, password }, session, done) =>
      void receiver.signIn(username ?? '', password ?? '', peerOf(session, isTrusted)).then((answer) => {
        if (answer.verdict === 'accepted') return done(null, { user: answer.sandbox });
        if (answer.verdict !== 'wrong') return done(refusal(answer.verdict));
        done(Object.assign(new Error('5.7.8 Wrong name or password'), { responseCode: 535 }));
      }),
    onRcptTo: ({ address }, session, done) =>
      void receiver
        .recipient(address, { sender: senderIn(session), size: sizeIn(session) }, peerOf(session, isTrusted))
        .then((verdict) => answer(verdict, done)),
    onData(stream, session, done) {
      const envelope = {
        sender: senderIn(session),
        recipients: session.envelope.rcptTo.map(({ address }) => address),
      };
      busy.add(session);
      receiver
        .message(stream, envelope, peerOf(session, isTrusted))
        .then((verdict) => {
          // What was not read is still to come. As long as whoever gave up still listens, only a listener makes it flow.
          stream.on('data', () => {});
          stream.resume();
          answer(stream.sizeExceeded ? 'too-large' : verdict, done);
        }, done)
        .finally(() => {
          busy.delete(session);
          if (isEnding) dismiss(server, (one) => one === session);
        });
    },
  });
  // Of single connections: peers that vanish or speak no SMTP.
  server.on('error', (error: Error) => log.info({ reason: error.message }, 'an SMTP connection failed'));
  await listen(server, host, port);
  const renewal = tls === null ? null : setInterval(() => void renew(server, tls, log), RENEW_MS).unref();
  return {
    address: server.server.address() as AddressInfo,
    close: () =>
      new Promise((resolve) => {
        if (renewal !== null) clearInterval(renewal);
        isEnding = true;
        server.close(() => resolve());
        dismiss(server, (session) => !busy.has(session));
      }),
  };
}

const senderIn = ({ envelope: { mailFrom } }: SMTPServerSession): string =>
  mailFrom === false ? '' : mailFrom.address;

/** The size that was announced (RFC 1870); 0 if none was. */
function sizeIn({ envelope: { mailFrom } }: SMTPServerSession): number {
  const { SIZE: size } = (mailFrom !== false && typeof mailFrom.args === 'object' ? mailFrom.args : {}) as {
    readonly SIZE?: unknown;
  };
  return typeof size === 'string' && /^\d{1,15}$/.test(size) ? Number(size) : 0;
}

const peerOf = (
  { remoteAddress, hostNameAppearsAs, secure, user }: SMTPServerSession,
  isTrusted: (address: string) => boolean,
): Peer => ({
  address: remoteAddress,
  name: hostNameAppearsAs || '',
  secure,
  trusted: isTrusted(remoteAddress),
  sandbox: typeof user === 'string' ? user : null,
});

interface Connection {
  readonly session: SMTPServerSession;
  readonly secure: boolean;
  _isSupported(command: string): boolean;
  send(code: number, text: unknown, context?: string | false): void;
  close(): void;
}

/** The connections of a server, which its types do not show. */
const connectionsOf = (server: SMTPServer): readonly Connection[] => [
  ...(server as unknown as { readonly connections: Iterable<Connection> }).connections,
];

/** Ends the connections of some sessions, which try again elsewhere or later. */
function dismiss(server: SMTPServer, which: (session: SMTPServerSession) => boolean): void {
  for (const connection of connectionsOf(server)) {
    if (!which(connection.session)) continue;
    connection.send(421, '4.3.2 The server is shutting down');
    connection.close();
  }
}

/** Credentials are neither offered nor taken on an unencrypted connection from elsewhere. */
function hideSignIn(server: SMTPServer, session: SMTPServerSession): void {
  const { remoteAddress } = session;
  if (remoteAddress === '::1' || remoteAddress.startsWith('127.')) return;
  for (const connection of connectionsOf(server)) {
    if (connection.session !== session) continue;
    const isSupported = connection._isSupported.bind(connection);
    connection._isSupported = (command) =>
      command === 'AUTH' && !connection.secure ? false : isSupported(command);
  }
}

/** Texts that begin with a code of their own are sent without the one that the library derives from the status. */
function writeOwnCodes(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of connectionsOf(server)) {
    if (connection.session !== session) continue;
    const send = connection.send.bind(connection);
    connection.send = (code, text, context) =>
      send(code, text, typeof text === 'string' && /^[245]\.\d{1,3}\.\d{1,3} /.test(text) ? false : context);
  }
}

async function readCertificate({ cert, key }: { readonly cert: string; readonly key: string }) {
  try {
    return { cert: await readFile(cert), key: await readFile(key) };
  } catch (error) {
    throw new ConfigError(
      'Holdall cannot start: SMTP_TLS_CERT or SMTP_TLS_KEY cannot be read. They are paths of PEM files.',
      { cause: error },
    );
  }
}

async function renew(
  server: SMTPServer,
  tls: { readonly cert: string; readonly key: string },
  log: Log,
): Promise<void> {
  try {
    server.updateSecureContext(await readCertificate(tls));
  } catch (error) {
    log.warn({ err: error }, 'the certificate of the SMTP receiver could not be read again');
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port in SMTP_LISTEN is in use. Choose another one, or stop the mail server that has it.',
  EACCES:
    'ports below 1024 need elevated rights. Give Node CAP_NET_BIND_SERVICE, or listen on a higher port behind a proxy (SMTP_LISTEN).',
  EADDRNOTAVAIL: 'the host in SMTP_LISTEN is not an address of this machine.',
  ENOTFOUND: 'the host in SMTP_LISTEN is not an address of this machine.',
};

function listen(server: SMTPServer, host: string | undefined, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const advice = ADVICE[error.code ?? ''];
      reject(
        advice === undefined ? error : new ConfigError(`Holdall cannot start: ${advice}`, { cause: error }),
      );
    };
    server.server.once('error', refuse);
    server.listen(port, host, () => {
      server.server.off('error', refuse);
      resolve();
    });
  });
}
