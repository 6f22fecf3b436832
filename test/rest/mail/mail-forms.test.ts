/** The forms of a provider's routes, as its programs write them: parts without names, and whole messages. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { MAILGUN_SIGNING_KEY, signRoute } from '../../standins/mailgun.js';

interface Given {
  server: TestServer;
  user: TestAccount;
}

const forms = suite<Given>('forms of routes');

forms.before(async (given) => {
  given.server = await startServer({ MAILGUN_SIGNING_KEY });
  given.user = await given.server.account();
});
forms.after(({ server }) => server.close());

const mailbox = async ({ server, user }: Given): Promise<string> =>
  (await server.request('POST', '/email/create', { key: user.key, json: {} })).body.message.email;

const only = async ({ server, user }: Given, mail: string) => {
  const { body } = await server.request('POST', '/email/getmissing', { key: user.key, json: { mail } });
  assert.is(body.message.length, 1);
  return body.message[0];
};

/** A multipart body of parts with their headers. */
const multipart = (parts: readonly (readonly [head: string, content: string])[]): Buffer =>
  Buffer.from(
    `${parts.map(([head, content]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}--b--\r\n`,
    'latin1',
  );

const send = async ({ server }: Given, parts: readonly (readonly [string, string])[]) => {
  const signed = Object.entries(signRoute()).map(
    ([name, value]) => [`name="${name}"`, String(value)] as const,
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  return server.request('POST', '/email/inbound', {
    headers,
    body: new Uint8Array(multipart([...signed, ...parts])),
  });
};

forms('parts without a file name are attachments, with the extension of their type', async (given) => {
  const email = await mailbox(given);
  const answer = await send(given, [
    ['name="recipient"', email],
    ['name="from"', 'a@b.example'],
    ['name="body-plain"', 'four parts'],
    ['name="attachment-count"', '4'],
    ['name="content-id-map"', '{"<pic@x>": "attachment-2"}'],
    ['name="attachment-1"; filename=""\r\nContent-Type: image/png', '\x89PNG1'],
    ['name="attachment-2"\r\nContent-Type: image/png', '\x89PNG2'],
    ['name="attachment-3"\r\nContent-Type: message/rfc822', 'Subject: fwd\r\n\r\nx'],
    ['name="attachment-4"; filename="ok.png"\r\nContent-Type: image/png', '\x89PNG4'],
  ]);
  assert.is(answer.status, 200, answer.text);
  const mail = await only(given, email);
  const named = mail.attachments.map(({ filename, contentId }: Record<string, unknown>) => [
    filename,
    contentId,
  ]);
  assert.equal(named, [
    ['attachment-1.png', null],
    ['attachment-2.png', 'pic@x'],
    ['attachment-3.eml', null],
    ['ok.png', null],
  ]);
  assert.is(Buffer.from(mail.attachments[1].contentBase64, 'base64').toString('latin1'), '\x89PNG2');
  assert.is(mail.truncated, false);
});

const MESSAGE =
  'From: a@b.example\r\nSubject: =?koi8-r?B?8NLJ18XU?=\r\nMessage-ID: <mime@x>\r\n' +
  'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nGr\xfc\xdfe';

forms('a whole message in a form is read byte for byte, in both kinds of forms', async (given) => {
  const { server, user } = given;
  const first = await mailbox(given);
  const parts = [['name="recipient"', first] as const, ['name="body-mime"', MESSAGE] as const];
  assert.is((await send(given, parts)).status, 200);
  const second = await mailbox(given);
  const signed = new URLSearchParams({ ...signRoute(), recipient: second } as Record<string, string>);
  const encoded = [...Buffer.from(MESSAGE, 'latin1')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
  const body = `${signed}&body-mime=${encoded.join('')}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.is((await server.request('POST', '/email/inbound', { headers, body })).status, 200);
  for (const email of [first, second]) {
    const mail = await only(given, email);
    assert.equal([mail.subject, mail.text, mail.messageId], ['Привет', 'Grüße', 'mime@x']);
    const path = `/email/${email}/messages/mime%40x/raw`;
    const original = await server.request('GET', path, { key: user.key });
    assert.is(original.headers.get('content-length'), String(MESSAGE.length));
  }
});

forms('a mail that is only formatted has its words as text, however large or deep it is', async (given) => {
  const long = `<p>first</p><table>${'<tr><td>a</td><td>b</td><td>c</td><td>d</td></tr>'.repeat(4_100)}</table><p>last</p>`;
  const deep = `first${'<div>'.repeat(600)}last`;
  const picture = `first<img src="data:image/png;base64,${'A'.repeat(1_700_000)}">last`;
  // Nothing of it is kept as it is formatted.
  const silent = '<noscript>first<table><tr><td>last</td></tr></table></noscript>';
  const tiny = '<td style="font-size:0"><b style="font-size:1em">first last</b></td>';
  for (const html of [long, deep, picture, silent, tiny]) {
    const email = await mailbox(given);
    const parts = [['name="recipient"', email] as const, ['name="body-html"', html] as const];
    assert.is((await send(given, [...parts, ['name="Message-Id"', `<${html.length}@x>`]])).status, 200);
    const mail = await only(given, email);
    assert.match(mail.text, /^first[\s\S]*last$/);
    const path = `/email/${email}/messages/${html.length}%40x/raw`;
    assert.is((await given.server.request('GET', path, { key: given.user.key })).status, 200);
  }
});

forms.run();
