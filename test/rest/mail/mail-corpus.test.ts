/** The same message says the same whichever way it comes: by a form of a provider, by a worker, by SMTP. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MESSAGES } from '../../support/mail/messages.js';
import { type MailPlace, newBox, openMailPlace, WAYS } from '../../support/mail/ways.js';

const corpus = suite<MailPlace>('a message by every way in');
corpus.before(async (given) => {
  Object.assign(given, await openMailPlace());
});
corpus.after(({ server }) => server.close());

interface Mail {
  subject: string;
  from: string;
  text: string;
  html: string;
  truncated: boolean;
  attachments: { filename: string; contentType: string; contentBase64: string }[];
}

const mailsIn = async ({ server, user }: MailPlace, mail: string): Promise<Mail[]> =>
  (await server.request('POST', '/email/getmissing', { key: user.key, json: { mail } })).body?.message ?? [];

for (const known of MESSAGES)
  corpus(known.name, async (given) => {
    const raw = Buffer.from(known.raw, 'latin1');
    let first: unknown = null;
    for (const [way, deliver] of Object.entries(WAYS)) {
      const box = await newBox(given);
      assert.is(await deliver(given, box, raw), 200, way);
      const [mail] = await mailsIn(given, box);
      assert.ok(mail, way);
      const { subject, from, html } = mail;
      // SMTP ends every message with an empty line.
      const text = mail.text.trimEnd();
      const files = mail.attachments.map(({ filename, contentType, contentBase64 }) => ({
        filename,
        type: contentType,
        bytes: Buffer.from(contentBase64, 'base64').toString('latin1'),
      }));
      if (known.subject !== undefined) assert.is(subject, known.subject, way);
      if (known.from !== undefined) assert.is(from, known.from, way);
      if (known.text !== undefined) assert.is(text, known.text, way);
      if (known.html !== undefined) assert.match(html, known.html);
      assert.equal(files, known.attachments ?? [], way);
      assert.is(mail.truncated, false, way);
      first ??= { subject, from, text, html, files };
      assert.equal({ subject, from, text, html, files }, first, way);
    }
  });

corpus.run();
