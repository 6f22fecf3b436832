/** What owners are told where several processes serve, and when these are restarted. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startWebhookReceiver } from '../standins/webhook-receiver.js';
import { mailsIn } from '../support/accounts/outbox.js';
import { PERSON } from '../support/accounts/told.js';
import { fleetKinds, OWNER_KEY as key } from '../support/servers/fleet.js';
import { OWNER } from '../support/servers/server-process.js';
import { until } from '../support/until.js';
import { LOOPBACK_ALLOWED } from '../support/web/webhook.js';

const PASTES = 8;
/** More than the processes take at once; who is refused asks again. */
const READERS = 1_000;

for (const { name, start } of fleetKinds()) {
  const test = suite(`told: ${name}`);

  test('of many people at once each thing is told once and with all of them, through a restart', async () => {
    const receiver = await startWebhookReceiver();
    const fleet = await start(LOOPBACK_ALLOWED);
    try {
      const settings = { url: `${receiver.url}/hook`, format: 'json', events: ['paste.opened'] };
      assert.is(
        (await fleet.send('PATCH', '/user/get/@me/settings/webhook', { key, json: settings })).status,
        204,
      );
      const ids = await Promise.all(
        Array.from({ length: PASTES }, async (_, index) => {
          const json = { text: 'words', title: `Paste ${index}`, notify: 'each' };
          return (await fleet.send('POST', '/paste/create', { key, json })).body.uniqueId as string;
        }),
      );
      const opened = await Promise.all(
        Array.from({ length: 10 * PASTES }, (_, index) =>
          fleet.send('GET', `/paste/get/${ids[index % PASTES]}`, { headers: PERSON }),
        ),
      );
      assert.equal(new Set(opened.map(({ status }) => status)), new Set([200]));
      // What was gathered is stored at the end, and told by whoever runs then.
      await fleet.restart();
      const mails = async () =>
        (await mailsIn(fleet.dataDir, OWNER.OWNER_EMAIL))
          .map(({ subject }) => subject)
          .filter((subject) => subject.includes('opened'));
      await until(async () => (await mails()).length >= PASTES && receiver.requests.length >= PASTES);
      await fleet.restart();
      assert.equal(
        (await mails()).sort(),
        ids.map((_, index) => `“Paste ${index}” was opened 10 times`),
      );
      const events = receiver.requests.map(({ body }) => JSON.parse(String(body)));
      assert.equal(
        events.map(({ item }) => [item.title, item.times]).sort(),
        ids.map((_, index) => [`Paste ${index}`, 10]),
      );
    } finally {
      await fleet.close();
      await receiver.close();
    }
  });

  test('views are exact for each share link and its item, of a thousand readers at once', async () => {
    const fleet = await start();
    try {
      const json = { text: 'private words', private: true };
      const id = (await fleet.send('POST', '/paste/create', { key, json })).body.uniqueId as string;
      const make = async (fields: object) => {
        const { body } = await fleet.send('POST', `/paste/get/${id}/links`, { key, json: fields });
        return {
          id: body.message.linkId as number,
          secret: new URL(body.message.url).pathname.split('/')[3],
        };
      };
      const links = [await make({}), await make({ maxViews: 150 }), await make({ maxViews: 900 })];
      const read = async (index: number): Promise<number> => {
        const { secret } = links[index % links.length] ?? { secret: '' };
        const { status } = await fleet.send('GET', `/paste/shared/${secret}`, { headers: PERSON });
        return status === 503 || status === 429 ? read(index) : status;
      };
      const statuses = await Promise.all(Array.from({ length: READERS }, (_, index) => read(index)));
      const opened = links.map(
        (_, link) =>
          statuses.filter((status, index) => index % links.length === link && status === 200).length,
      );
      assert.equal(opened, [334, 150, 333]);
      const listed = (await fleet.send('GET', `/paste/get/${id}/links`, { key })).body.message.content;
      const views = new Map(
        listed.map((link: { linkId: number; views: number }) => [link.linkId, link.views]),
      );
      assert.equal(
        links.map((link) => views.get(link.id)),
        opened,
      );
      let counted = 0;
      await until(async () => {
        const { body } = await fleet.send('GET', '/user/get/@me/items?kind=paste', { key });
        counted = body.message.content[0].views;
        return counted >= 334 + 150 + 333;
      });
      assert.is(counted, 334 + 150 + 333, 'views of the item');
    } finally {
      await fleet.close();
    }
  });

  test.run();
}
