import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type EmbedValues,
  expandPlaceholders,
  plainColor,
  readableSize,
  renderEmbed,
} from '../../../routers/base/embed.js';
import type { EmbedSettings } from '../../../routers/base/embed-settings.js';
import type { WebhookEvent, WebhookTarget } from '../../../routers/base/ports/outbound.js';
import { openWebhooks } from '../../../server/drivers/outbound/open.js';
import { discordPayload } from '../../../server/drivers/outbound/payloads/discord.js';
import {
  appriseMessage,
  gotifyMessage,
  ntfyMessage,
} from '../../../server/drivers/outbound/payloads/push.js';
import { slackPayload } from '../../../server/drivers/outbound/payloads/slack.js';
import { clamp } from '../../../server/drivers/outbound/payloads/summary.js';
import { startWebhookReceiver } from '../../standins/webhook-receiver.js';

const embed = suite('embed settings');
const values: EmbedValues = {
  uid: 'AB12CD34',
  size: 1_572_864,
  filetype: 'png',
  uploader: 'ada',
  username: 'ada',
  url: 'https://holdall.example/web/image-render/AB12CD34',
};
const settings: EmbedSettings = {
  enabled: true,
  title: '{uploader} shared {uid}.{filetype}',
  titleUrl: '{url}',
  description: '{size} by {username}',
  color: '#f80',
  authorName: '{username}',
};

embed('all placeholders are expanded', () => {
  assert.equal(renderEmbed(settings, values), {
    title: 'ada shared AB12CD34.png',
    titleUrl: values.url,
    description: '1.5 MB by ada',
    color: '#ff8800',
    authorName: 'ada',
  });
});

embed('a value is never expanded again, and unknown placeholders stay', () => {
  const text = expandPlaceholders('{username} {nothing} {size}', {
    ...values,
    username: '{uid}',
    size: null,
  });
  assert.is(text, '{uid} {nothing} ');
});

embed('replacement patterns in values are plain text', () => {
  assert.is(expandPlaceholders('<{username}>', { ...values, username: "$& $' $1" }), "<$& $' $1>");
});

embed('settings that are off or absent produce nothing', () => {
  assert.is(renderEmbed(null, values), null);
  assert.is(renderEmbed({ ...settings, enabled: false }, values), null);
});

embed('a title link that is not http(s) is dropped', () => {
  for (const titleUrl of ['javascript:alert(1)', 'data:text/html,x', '{uid}', '  ']) {
    assert.is(renderEmbed({ ...settings, titleUrl }, values)?.titleUrl, null, titleUrl);
  }
});

embed('a random colour is drawn on each call and is always valid', () => {
  const drawn = new Set(Array.from({ length: 50 }, () => plainColor('random')));
  assert.ok(drawn.size > 1);
  for (const color of drawn) assert.match(color ?? '', /^#[0-9a-f]{6}$/);
  assert.is(plainColor('#ABCDEF'), '#abcdef');
  assert.is(plainColor('red'), null);
});

embed('sizes are human-readable', () => {
  const sizes = [0, 1, 1023, 1024, 1536, 102_400, 1_048_576, 5_368_709_120, 2 ** 60].map(readableSize);
  assert.equal(sizes, ['0 B', '1 B', '1023 B', '1 KB', '1.5 KB', '100 KB', '1 MB', '5 GB', '1048576 TB']);
});

embed.run();

const payloads = suite('webhook payloads');
const event: WebhookEvent = {
  id: 'delivery-1',
  type: 'image.created',
  at: Date.UTC(2026, 4, 6, 7, 8, 9),
  item: {
    kind: 'image',
    uniqueId: 'AB12CD34',
    link: values.url,
    title: 'holiday.png',
    size: 1_572_864,
    filetype: 'png',
    imageUrl: 'https://holdall.example/v1/image/get/AB12CD34',
    visits: null,
    maxUses: null,
  },
  uploader: { uid: 7, username: 'ada', avatar: 'https://holdall.example/avatar/7' },
};
const target: WebhookTarget = {
  url: 'https://hooks.example/',
  format: 'discord',
  secret: null,
  embed: settings,
};

payloads('Discord gets one embed that mentions nobody', () => {
  const loud = { ...settings, title: '@everyone <@&1>', description: '@here' };
  const body = JSON.parse(discordPayload(event, { ...target, embed: loud }));
  assert.equal(body.allowed_mentions, { parse: [] });
  assert.is(body.content, undefined);
  assert.is(body.embeds.length, 1);
  assert.is(body.embeds[0].color, 0xff8800);
  assert.is(body.embeds[0].timestamp, '2026-05-06T07:08:09.000Z');
  assert.is(body.embeds[0].image.url, event.item.imageUrl);
});

payloads('without embed settings the message describes the event', () => {
  const body = JSON.parse(discordPayload({ ...event, type: 'url.exhausted' }, { ...target, embed: null }));
  assert.is(body.embeds[0].title, 'Short link used up: holiday.png');
  assert.is(body.embeds[0].url, event.item.link);
  assert.is(body.embeds[0].image, undefined);
});

payloads(
  'notification servers get a title, a text and the link, each in its own form, and the secret as a token',
  () => {
    const named = { ...event, item: { ...event.item, title: 'größe.png' } };
    const to = { ...target, embed: null, secret: 'tk_1' };
    const { body, headers } = ntfyMessage(named, to);
    assert.is(body, 'größe.png');
    const [, title = ''] = /^=\?UTF-8\?B\?(.*)\?=$/.exec(headers?.title ?? '') ?? [];
    assert.match(Buffer.from(title, 'base64').toString(), 'größe.png');
    assert.equal([headers?.click, headers?.authorization], [event.item.link, 'Bearer tk_1']);
    const gotify = gotifyMessage(named, to);
    assert.equal(
      [JSON.parse(gotify.body).message, gotify.headers],
      ['größe.png', { 'x-gotify-key': 'tk_1' }],
    );
    const apprise = JSON.parse(appriseMessage(named, to).body);
    assert.equal([apprise.type, apprise.body], ['info', `größe.png\n${event.item.link}`]);
    assert.is(ntfyMessage(named, { ...to, secret: 'a\nb' }).headers?.authorization, undefined);
  },
);

payloads('texts are cut to the limits of the services, never inside a character', () => {
  const long = {
    ...settings,
    title: '😀'.repeat(400),
    description: 'd'.repeat(9000),
    authorName: 'n'.repeat(999),
  };
  const [discord] = JSON.parse(discordPayload(event, { ...target, embed: long })).embeds;
  assert.ok(discord.title.length <= 256 && discord.title.isWellFormed());
  assert.is(discord.description.length, 4096);
  assert.is(discord.author.name.length, 256);
  assert.ok(discord.title.length + discord.description.length + discord.author.name.length <= 6000);
  const [slack] = JSON.parse(slackPayload(event, { ...target, embed: long })).attachments;
  assert.ok(slack.title.length <= 300 && slack.text.length <= 3000);
  assert.is(clamp('abc', 3), 'abc');
  assert.is(clamp('abcd', 3), 'ab…');
});

payloads('Slack text cannot form a mention or a link', () => {
  const loud = { ...settings, title: '<!channel>', description: '<https://evil.example|click> & more' };
  const body = JSON.parse(slackPayload(event, { ...target, embed: loud }));
  assert.is(body.attachments[0].title, '&lt;!channel&gt;');
  assert.is(body.attachments[0].text, '&lt;https://evil.example|click&gt; &amp; more');
  assert.is(body.text, undefined);
});

payloads('the json format signs time and body, so that the receiver can check both', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const webhooks = openWebhooks({ outboundAllow: ['127.0.0.1'] });
    const receipt = await webhooks.deliver(
      { ...target, url: receiver.url, format: 'json', secret: 'canary-secret' },
      event,
    );
    assert.is(receipt.ok, true);
    const [request] = receiver.requests;
    const body = request?.body.toString() ?? '';
    const [, t, v1] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['x-holdall-signature'])) ?? [];
    assert.is(v1, createHmac('sha256', 'canary-secret').update(`${t}.${body}`).digest('hex'));
    assert.is(request?.headers['x-holdall-event'], 'image.created');
    assert.is(request?.headers['x-holdall-delivery'], 'delivery-1');
    assert.is(JSON.parse(body).at, '2026-05-06T07:08:09.000Z');
    assert.not.ok(body.includes('canary-secret'));
  } finally {
    await receiver.close();
  }
});

payloads('a URL that can never be called is rejected before anything is sent', async () => {
  const webhooks = openWebhooks({ outboundAllow: [] });
  assert.is(await webhooks.refusal('https://hooks.example/x'), null);
  assert.match((await webhooks.refusal('http://hooks.example/x')) ?? '', /https/);
  assert.match((await webhooks.refusal('https://127.0.0.1/x')) ?? '', /not public/);
  const local = openWebhooks({ outboundAllow: ['127.0.0.0/8', '::1'] });
  assert.is(await local.refusal('http://localhost:9/x'), null);
  assert.match((await local.refusal('http://10.0.0.1/x')) ?? '', /https/);
  assert.match((await local.refusal('http://nobody.invalid/x')) ?? '', /https/);
  assert.throws(() => openWebhooks({ outboundAllow: ['nonsense'] }), /nonsense/);
});

payloads.run();
