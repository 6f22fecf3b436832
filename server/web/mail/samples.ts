import type { Settings } from '../../../routers/core/settings.js';

/** Who sends into a test inbox. */
export interface Sending {
  readonly username: string;
  readonly password: string;
}

/** One command each that sends a mail into a test inbox, and one that waits for it. */
export function samplesOf(
  { origin, smtp }: Pick<Settings, 'origin' | 'smtp'>,
  { username, password }: Sending,
): readonly (readonly [name: string, code: string])[] {
  const { hostname } = new URL(origin);
  const { port, tls } = smtp ?? { port: 25, tls: false };
  const wait = `${origin}/v1/email/${encodeURIComponent(username)}/wait?subject=Hello`;
  return [
    [
      'Node',
      `await nodemailer.createTransport({ host: '${hostname}', port: ${port}, requireTLS: ${tls}, auth: { user: '${username}', pass: '${password}' } })\n` +
        `  .sendMail({ from: 'app@example.com', to: 'anybody@example.com', subject: 'Hello', text: 'Hello' });`,
    ],
    [
      'Python',
      `with smtplib.SMTP('${hostname}', ${port}) as smtp: ${tls ? 'smtp.starttls(); ' : ''}smtp.login('${username}', '${password}'); ` +
        `smtp.sendmail('app@example.com', ['anybody@example.com'], 'Subject: Hello\\r\\n\\r\\nHello')`,
    ],
    [
      'curl',
      `printf 'Subject: Hello\\r\\n\\r\\nHello\\r\\n' | curl ${tls ? '--ssl-reqd ' : ''}smtp://${hostname}:${port} --user '${username}:${password}' ` +
        `--mail-from app@example.com --mail-rcpt anybody@example.com --upload-file -\n` +
        `curl -H "X-API-Key: $KEY" '${wait}'`,
    ],
  ];
}
