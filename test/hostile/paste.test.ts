/** Texts that cost much more to display than to write. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestServer } from '../harness.js';
import { until } from '../support/until.js';
import { ask, headOf } from './raw.js';

let server: TestServer;
const pastes = suite('hostile pastes');
pastes.before(async () => {
  server = await startServer();
});
pastes.after(() => server.close());

const MIB = 1024 * 1024;
const CODE = 'import os\n\ndef main():\n    print("hello")\n';

/** Texts for which the grammars of these languages take from half a minute to practically forever. */
const ENDLESS: readonly (readonly [language: string, text: string])[] = [
  ['markdown', '[a]('.repeat(25_000)],
  ...['java', 'ini', 'cpp', 'csharp', 'typescript'].map((name) => [name, 'a'.repeat(100_000)] as const),
];

/** Creates a paste; returns the path of its page. */
async function paste(text: string, language: string): Promise<string> {
  const json = { text, language };
  const made = await server.request('POST', '/paste/create', { key: server.owner.key, json });
  assert.is(made.status, 200, made.text);
  return `//web/paste-render/${made.body.uniqueId}`;
}

const look = (path: string): Promise<Answer> => server.request('GET', path);

for (const [language, text] of ENDLESS)
  pastes(
    `a text that never finishes as ${language} is shown plain, and others are answered meanwhile`,
    async () => {
      const path = await paste(text, language);
      // A slow disk may delay the status; if the page blocked it, it would never come before the page.
      await until(async () => {
        let shown = false;
        const showing = look(path).finally(() => {
          shown = true;
        });
        for (let asked = 0; asked < 3; asked += 1) assert.is((await look('//status')).status, 200);
        const meanwhile = !shown;
        const { status, text: html } = await showing;
        assert.is(status, 200);
        assert.ok(html.includes(text));
        assert.not.match(html, /hljs-/);
        return meanwhile;
      });
    },
  );

pastes('many viewers of such a text all get it, and code is coloured afterwards', async () => {
  const [language, text] = ENDLESS[0] ?? ['', ''];
  const path = await paste(text, language);
  const pages = await Promise.all(Array.from({ length: 40 }, () => look(path)));
  for (const { status, text: html } of pages) assert.ok(status === 200 && html.includes(text));
  const code = await paste(CODE, 'python');
  await until(async () => /<span class="hljs-keyword">import<\/span> os/.test((await look(code)).text));
});

pastes('spans over many lines do not multiply', async () => {
  const text = '`${'.repeat(100) + '\n'.repeat(80_000);
  const { status, text: html } = await look(await paste(text, 'javascript'));
  assert.is(status, 200);
  assert.ok(html.length < 1_000_000);
});

pastes('a text of a million lines gives a page of a few times its size', async () => {
  const { status, text: html } = await look(await paste(`${'\n'.repeat(1_048_570)}end`, 'plaintext'));
  assert.is(status, 200);
  assert.match(html, /1,048,571 lines/);
  assert.ok(html.length < 4_000_000);
});

pastes('escaped text is on a page only once', async () => {
  const { status, text: html } = await look(await paste('&'.repeat(MIB), 'plaintext'));
  assert.is(status, 200);
  assert.ok(html.length < 5.1 * MIB);
});

pastes(
  'long texts in answers that are not read are bounded; further requests are told to retry',
  async () => {
    const id = (await paste('\u0001'.repeat(MIB), 'plaintext')).split('/').at(-1) ?? '';
    const all = Array.from({ length: 20 }, (_, index) => [index, { uniqueId: id }]);
    const input = encodeURIComponent(JSON.stringify(Object.fromEntries(all)));
    const batch = () =>
      server.request('GET', `//trpc/${all.map(() => 'paste.get').join(',')}?batch=1&input=${input}`);
    const { headers, body } = await batch();
    const answered = body.filter(({ result }: { result?: unknown }) => result !== undefined).length;
    // Each is 6 MiB as JSON; those beyond 32 MiB are refused.
    assert.is(answered, 5);
    assert.is(headers.get('retry-after'), null);

    const port = Number(new URL(server.origin).port);
    const offer = { Connection: 'Upgrade', Upgrade: 'h2c' };
    for (let round = 0; round < 12; round += 1)
      assert.is((await ask(port, headOf('GET', `/v1/paste/get/${id}`, offer))).status, 200);
    await until(async () => (await batch()).text.length > 10 * MIB);
  },
);

pastes.run();
