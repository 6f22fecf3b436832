/** Sealing and opening with the command, and with the program `age` on the other side. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../bench/processors.js';
import { type CommandWorld, done, endCommandWorld, startCommandWorld } from '../support/servers/command.js';
import { OWNER } from '../support/servers/server-process.js';
import { skipping } from '../support/skip.js';

const test = suite<CommandWorld>('the command and what is sealed');
test.before(startCommandWorld);
test.before(async ({ holdall, server }) => {
  await done(holdall(['login', server.origin], `${OWNER.OWNER_API_KEY}\n`));
});
test.after(endCommandWorld);

const WORDS = 'a cat under the table\n';
const SECRET = /^(http[^#\s]+)#(AGE-SECRET-KEY-1[A-Z0-9]+)$/;

test('what upload and paste seal, get opens, by the key behind the link', async ({ holdall, folder }) => {
  await writeFile(join(folder, 'cat.txt'), WORDS);
  for (const args of [
    ['upload', '--seal', 'cat.txt'],
    ['paste', '--seal', 'cat.txt'],
    ['upload', '--seal', '-'],
  ]) {
    const link = await done(holdall(args, WORDS));
    assert.match(link, SECRET, args.join(' '));
    assert.is(await done(holdall(['get', link])), WORDS);
    const saved = await holdall(['get', link, '--output', `${args[0]}-${args.at(-1)}.out`]);
    assert.is(saved.code, 0, saved.err);
  }
});

test('a sealed request has a key of its own, or that of the account', async ({ holdall }) => {
  const [link, identity] = (await done(holdall(['request', 'create', 'Papers', '--sealed'])))
    .trim()
    .split('\n');
  assert.match(`${link}#${identity}`, SECRET);
});

test('with a passphrase, which a wrong one does not open', async ({ holdall, folder }) => {
  await writeFile(join(folder, 'cat.txt'), WORDS);
  const link = await done(holdall(['upload', '--passphrase', 'cat.txt'], 'correct horse\n'));
  assert.not.match(link, /#/);
  assert.is(await done(holdall(['get', link], '', { HOLDALL_PASSPHRASE: 'correct horse' })), WORDS);
  const wrong = await holdall(['get', link], 'incorrect\n');
  assert.equal([wrong.code, wrong.out], [1, '']);
  assert.match(wrong.err, 'does not open it');
});

test('a wrong key, an unsealed item and nothing at all are exit 1 and leave no file', async ({
  holdall,
  folder,
}) => {
  const link = await done(holdall(['upload', '--seal', '-'], WORDS));
  const other = await done(holdall(['upload', '--seal', '-'], WORDS));
  const plain = await done(holdall(['upload', '-'], WORDS));
  const [, address = '', key = ''] = SECRET.exec(link) ?? [];
  const [, , otherKey = ''] = SECRET.exec(other) ?? [];
  const before = await readdir(folder);
  for (const wrong of [
    `${address}#${otherKey}`,
    `${address}#${key.slice(0, -1)}`,
    `${address}#x`,
    `${plain}#${key}`,
  ]) {
    const { code, out, err } = await holdall(['get', wrong, '--output', 'wrong']);
    assert.equal([code, out], [1, ''], `${wrong} ${err}`);
  }
  assert.is(await done(holdall(['get', plain])), WORDS);
  assert.equal(await readdir(folder), before);
  for (const [to, why] of [
    ['age1nobody', 'age1nobody is no public key of age'],
    ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI', 'Keys of SSH are not taken here'],
  ] as const) {
    const { code, err } = await holdall(['upload', '--to', to, '-'], WORDS);
    assert.is(code, 1, to);
    assert.match(err, why);
  }
});

test('age opens what the command seals, and the command what age seals', async ({
  holdall,
  folder,
  server,
}) => {
  if (!has('age')) {
    skipping('age is not installed');
    return;
  }
  const keyFile = join(folder, 'key.txt');
  execFileSync('age-keygen', ['-o', keyFile], { stdio: 'ignore' });
  const identity = /AGE-SECRET-KEY-1\w+/.exec(await readFile(keyFile, 'utf8'))?.[0] ?? '';
  const recipient = execFileSync('age-keygen', ['-y', keyFile], { encoding: 'utf8' }).trim();
  await writeFile(join(folder, 'big.bin'), Buffer.alloc(200_000, 'cat '));
  const record = JSON.parse(await done(holdall(['upload', '--to', recipient, '--json', 'big.bin'])))[0];
  const bytes = Buffer.from(await (await fetch(record.urlSet.rawUrl)).arrayBuffer());
  const plain = execFileSync('age', ['-d', '-i', keyFile], { input: bytes });
  assert.equal(plain, Buffer.alloc(200_000, 'cat '));
  const name = execFileSync('age', ['-d', '-i', keyFile], {
    input: Buffer.from(record.sealedName, 'base64'),
  });
  assert.equal(JSON.parse(name.toString()), { name: 'big.bin', size: 200_000 });
  for (const armor of [[], ['-a']]) {
    const sealed = execFileSync('age', ['-r', recipient, ...armor], { input: WORDS });
    const form = new FormData();
    form.set('sealed', 'true');
    form.set('file', new File([sealed], 'x.age'));
    const path = armor.length === 0 ? 'image/upload' : 'paste/create';
    const headers = { 'x-api-key': OWNER.OWNER_API_KEY };
    const made = await fetch(`${server.origin}/v1/${path}`, { method: 'POST', body: form, headers });
    const { message } = await made.json();
    assert.is(await done(holdall(['get', `${message.urlSet.webUrl}#${identity}`])), WORDS);
  }
});

test.run();
