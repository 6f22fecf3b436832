// on both databases
/** Mail is neither an item nor a file of the account: what the account may store is no rule for what is sent to it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type MailPlace, newBox, openMailPlace, WAYS } from '../../support/mail/ways.js';

const test = suite<MailPlace>('mail to an account that may store nothing');

test.before(async (place) => {
  Object.assign(place, await openMailPlace());
});
test.after(({ server }) => server.close());

const TEXT = 'a file of a type that is not accepted';
const MESSAGE = Buffer.from(
  [
    'From: Ada <ada@example.net>',
    'Subject: files',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'the words',
    '--b',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename="data.bin"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(TEXT).toString('base64'),
    '--b--',
    '',
  ].join('\r\n'),
);

for (const [way, deliver] of Object.entries(WAYS))
  test(`by ${way}: it arrives whole, whatever the role and the account may store`, async (place) => {
    const { server, user } = place;
    const box = await newBox(place);
    const admin = async (method: string, path: string, json: object) => {
      const answer = await server.request(method, `/admin/limits${path}`, { key: server.owner.key, json });
      assert.is(answer.status, 200, answer.text);
    };
    await admin('PUT', '/roles/USER/entry', { types: ['image/gif'], maxExpiryDays: 1, defaultExpiryDays: 1 });
    await admin('PUT', `/users/${user.id}`, { limits: { TOTAL: { dailyCount: 0, storageBytes: 0 } } });
    await admin('POST', `/users/${user.id}/pause`, { indefinite: true });
    assert.is(await deliver(place, box, MESSAGE), 200);
    const missing = await server.request('POST', '/email/getmissing', { key: user.key, json: { mail: box } });
    const [{ attachments }] = missing.body.message;
    const [{ filename, withheld, contentBase64 }] = attachments;
    assert.equal(
      [filename, withheld, Buffer.from(contentBase64, 'base64').toString()],
      ['data.bin', null, TEXT],
    );
    await admin('DELETE', `/users/${user.id}/pause`, {});
  });

test.run();
