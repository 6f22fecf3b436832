/** The `holdall` command as a client, for people and scripts with an API key. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { has } from '../bench/processors.js';
import {
  COMMAND,
  type CommandWorld,
  done,
  endCommandWorld,
  spawnCommand,
  startCommandWorld,
} from '../support/servers/command.js';
import { freePort, OWNER } from '../support/servers/server-process.js';
import { skipping } from '../support/skip.js';
import { until } from '../support/until.js';

const client = suite<CommandWorld>('holdall as a client');
client.before(startCommandWorld);
client.after(endCommandWorld);

client(
  'explains how to sign in, and stores a login readable by this user only',
  async ({ holdall, folder, server }) => {
    const before = await holdall(['shorten', 'https://example.org']);
    assert.is(before.code, 1);
    assert.match(before.err, 'holdall login');
    const wrong = await holdall(['login', server.origin], 'not a key\n');
    assert.is(wrong.code, 1);
    assert.match(wrong.err, 'does not know this API key');
    const { code, err } = await holdall(['login', server.origin], `${OWNER.OWNER_API_KEY}\n`);
    assert.is(code, 0, err);
    assert.match(err, 'signed in as owner');
    const file = join(folder, 'config', 'holdall', 'login.json');
    assert.is((await stat(file)).mode & 0o777, 0o600);
  },
);

client('a stored key is sent only to the server it was stored for', async ({ holdall, server }) => {
  const args = ['shorten', 'https://example.org'];
  const port = await freePort();
  const { code, err } = await holdall(args, '', { HOLDALL_ORIGIN: `http://127.0.0.1:${port}` });
  assert.is(code, 1);
  assert.match(err, `is for ${server.origin}: set HOLDALL_KEY as well`);
  await done(holdall(args, '', { HOLDALL_ORIGIN: `${server.origin}/` }));
});

client('prints the link and nothing else', async ({ holdall }) => {
  for (const args of [['shorten', 'https://example.org'], ['paste'], ['upload', '-']]) {
    const link = await done(holdall(args, 'some text'));
    assert.match(link, /^http:\/\/[^/\s]+\/r\/[A-Z0-9]{8}$/, args[0]);
  }
});

client(
  'uploads files and standard input unchanged, one link per line',
  async ({ holdall, folder, server }) => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    await writeFile(join(folder, 'one.bin'), bytes);
    const links = (await done(holdall(['upload', 'one.bin', '-', '--name', 'two.bin'], bytes)))
      .trim()
      .split('\n');
    assert.is(links.length, 2);
    for (const link of links) {
      const got = await fetch(`${server.origin}/v1/image/get/${link.split('/').at(-1)}`);
      assert.ok(bytes.equals(Buffer.from(await got.arrayBuffer())));
    }
    const [record] = JSON.parse(await done(holdall(['upload', 'one.bin', '--id', 'chosen', '--json'])));
    assert.is(record.uniqueId, 'chosen');
    assert.is(record.originalName, 'one.bin');
  },
);

client(
  'a folder becomes a collection with its paths; what is there already is not sent again',
  async ({ holdall, folder, server }) => {
    await mkdir(join(folder, 'trip', 'day one'), { recursive: true });
    const written: [string, string][] = [
      ['a.txt', 'the first'],
      ['day one/b.txt', 'the second'],
      ['day one/copy of b.txt', 'the second'],
      ['empty.txt', ''],
    ];
    for (const [name, words] of written) await writeFile(join(folder, 'trip', name), words);
    const known = JSON.parse(await done(holdall(['upload', 'trip/a.txt', '--json'])));
    const first = await holdall(['upload', 'trip', '--private', '--json']);
    assert.is(first.code, 0, first.err);
    for (const words of [
      '1 files to send',
      '1 that you have already join the collection',
      'left out day one/copy of b.txt: the same as day one/b.txt',
      'left out empty.txt: empty',
    ])
      assert.match(first.err, words);
    const [{ uniqueId }] = JSON.parse(first.out);
    const read = async (id: string) => {
      const answer = await fetch(`${server.origin}/v1/collection/${id}`, {
        headers: { 'x-api-key': OWNER.OWNER_API_KEY },
      });
      return (await answer.json()).message;
    };
    const made = await read(uniqueId);
    assert.equal([made.title, made.isPublic], ['trip', false]);
    assert.equal(made.items.map((item: { path: string }) => item.path).sort(), ['a.txt', 'day one/b.txt']);
    assert.ok(made.items.some((item: { uniqueId: string }) => item.uniqueId === known[0].uniqueId));

    const again = await holdall(['upload', 'trip/']);
    assert.is(again.code, 0, again.err);
    assert.match(again.err, '0 files to send');
    assert.is((await read(again.out.split('/').at(-1) ?? '')).items.length, 2);
  },
);

client('names of files in a folder may be in any charset', async ({ holdall, folder, server }) => {
  const inLatin = (name: string) => Buffer.from(join(folder, 'old', name), 'latin1');
  await mkdir(inLatin('Größe'), { recursive: true });
  await writeFile(
    Buffer.concat([inLatin('Größe'), Buffer.from('/café.txt', 'latin1')]),
    'from an old server',
  );
  await writeFile(join(folder, 'old', 'naïve.txt'), 'in UTF-8');
  await writeFile(join(folder, 'old', '.trashed-1-x.txt'), 'thrown away');
  const { code, out, err } = await holdall(['upload', 'old', '--json']);
  assert.is(code, 0, err);
  assert.match(err, '2 files to send');
  const answer = await fetch(`${server.origin}/v1/collection/${JSON.parse(out)[0].uniqueId}`, {
    headers: { 'x-api-key': OWNER.OWNER_API_KEY },
  });
  const { message } = await answer.json();
  assert.equal(message.items.map((item: { path: string }) => item.path).sort(), [
    'Größe/café.txt',
    'naïve.txt',
  ]);
});

client('a file that is refused is named, and the others are stored', async ({ holdall, folder }) => {
  await writeFile(join(folder, 'there.txt'), 'here');
  await writeFile(join(folder, 'empty.txt'), '');
  await mkdir(join(folder, 'bare'));
  const files = ['absent.txt', 'there.txt', 'empty.txt', 'bare', 'there.txt'];
  const { code, out, err } = await holdall(['upload', ...files]);
  assert.is(code, 1);
  assert.match(out, /^(http:\S+\/r\/\S+\n){2}$/);
  for (const words of [/^holdall: .*absent\.txt/m, /^holdall: empty\.txt: The file is empty$/m])
    assert.match(err, words);
  assert.match(err, 'holdall: bare has no files');
  assert.match(err, 'holdall: 3 of 5 files were not uploaded');
  assert.match((await holdall(['paste', 'config'])).err, 'config is a folder');

  // Its name is a word of the sentence.
  await writeFile(join(folder, 'file'), '');
  assert.match((await holdall(['upload', 'file'])).err, 'holdall: file: The file is empty');

  const asJson = await holdall(['upload', 'empty.txt', 'there.txt', '--json']);
  assert.is(asJson.code, 1);
  assert.is(JSON.parse(asJson.out).length, 1);
});

client('a pipe named like a file is sent completely', async (world) => {
  const pipe = join(world.folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const sending = world.holdall(['upload', pipe, '--json']);
  await writeFile(pipe, 'through a pipe');
  const [record] = JSON.parse(await done(sending));
  assert.is(record.size, 14);
});

client('a closed output pipe ends the command without message and stack trace', async (world) => {
  const child = spawnCommand(world, ['help']);
  child.stdout.destroy();
  const errors = text(child.stderr);
  const [code] = await once(child, 'close');
  assert.ok(code === 141 || code === 0, String(code));
  assert.is(await errors, '');
});

client('Ctrl-C ends an upload: stored files are reported, temporary files removed', async (world) => {
  const { folder } = world;
  await writeFile(join(folder, 'first.txt'), 'stored');
  const TMPDIR = join(folder, 'temporary');
  await mkdir(TMPDIR);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const child = spawnCommand(world, ['upload', 'first.txt', '-'], { TMPDIR });
    const [link] = (await once(child.stdout, 'data')) as [Buffer];
    assert.match(String(link), /\/r\/\S+\n$/);
    child.stdin.write('some of it');
    await until(async () => (await readdir(TMPDIR)).length > 0);
    child.kill(signal);
    assert.equal(await once(child, 'close'), [code, null]);
    assert.equal(await readdir(TMPDIR), []);
  }
});

client('Ctrl-C ends the comparing of a folder, however large its files are', async (world) => {
  await mkdir(join(world.folder, 'vast'));
  await writeFile(join(world.folder, 'vast', 'hole.bin'), '');
  // No disk has it, and reading it would take minutes.
  await truncate(join(world.folder, 'vast', 'hole.bin'), 2 ** 40);
  const child = spawnCommand(world, ['upload', 'vast']);
  const [told] = (await once(child.stderr, 'data')) as [Buffer];
  assert.match(String(told), 'comparing 1 files');
  child.kill('SIGINT');
  assert.equal(await once(child, 'close'), [130, null]);
});

client('a message appears while standard input brings nothing', async (world) => {
  const child = spawnCommand(world, ['paste']);
  const [told] = (await once(child.stderr, 'data')) as [Buffer];
  assert.match(String(told), 'waiting for standard input');
  child.stdin.end('at last');
  assert.equal(await once(child, 'close'), [0, null]);
});

client(
  'Ctrl-C or Ctrl-D at the API key prompt exits with 130, without stack trace',
  async ({ server, folder }) => {
    if (!has('script')) {
      skipping('script is not installed');
      return;
    }
    for (const key of ['\u0003', '\u0004']) {
      const command = `${process.execPath} ${COMMAND} login ${server.origin}`;
      const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder });
      let shown = '';
      child.stdout.on('data', (data) => {
        const asked = shown.includes('API key');
        shown += data;
        if (!asked && shown.includes('API key')) child.stdin.write(key);
      });
      assert.equal(await once(child, 'close'), [130, null]);
      assert.is(shown.trim(), 'API key:');
    }
  },
);

client(
  'a server that temporarily refuses is retried after the requested delay, with a message',
  async (world) => {
    const { holdall, folder, server } = world;
    let refusals = 0;
    const busy = createServer((request, response) => {
      if (request.method === 'POST' && refusals < 2) {
        refusals += 1;
        request.resume();
        const body = {
          error: true,
          timestamp: new Date().toISOString(),
          uniqueId: null,
          message: 'Too many',
          count: 0,
        };
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' });
        response.end(JSON.stringify(body));
        return;
      }
      const { hostname, port } = new URL(server.origin);
      const options = { hostname, port, path: request.url, method: request.method, headers: request.headers };
      const onward = httpRequest(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(onward);
    });
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    try {
      const file = join(folder, 'patient.txt');
      await writeFile(file, 'patient');
      const { code, err } = await holdall(['upload', file, file], '', {
        HOLDALL_ORIGIN: `http://127.0.0.1:${(busy.address() as AddressInfo).port}`,
        HOLDALL_KEY: OWNER.OWNER_API_KEY,
      });
      assert.is(code, 0, err);
      assert.is(err.split('too many requests; continuing in 1 s').length, 3);
    } finally {
      busy.close();
    }
  },
);

client('prints its version, and how a date is written', async ({ holdall }) => {
  assert.match(await done(holdall(['--version'])), /^\d+\.\d+\.\d+\n$/);
  assert.match(await done(holdall(['paste', '--help'])), 'DATE is a day like 2030-01-31');
});

client(
  'an unreachable server, or one that is not Holdall, is reported in plain words',
  async ({ holdall, server }) => {
    const other = createServer((_request, response) => response.end('<html>hello</html>'));
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const HOLDALL_KEY = OWNER.OWNER_API_KEY;
    const told = async (env: Record<string, string>, words: string): Promise<void> => {
      for (const args of [['paste'], ['upload', '-']]) {
        const { code, err } = await holdall(args, 'text', { HOLDALL_KEY, ...env });
        assert.is(code, 1);
        assert.match(err, words);
        assert.is(err.trim().split('\n').length, 1, err);
      }
    };
    try {
      await told(
        { HOLDALL_ORIGIN: `http://127.0.0.1:${await freePort()}` },
        'cannot be reached: nothing is listening there',
      );
      await told(
        { HOLDALL_ORIGIN: 'http://no-such-host.invalid' },
        'http://no-such-host.invalid cannot be reached: ',
      );
      await told({ HOLDALL_ORIGIN: `http://127.0.0.1:${port}` }, '(status 200): is it a Holdall server?');
      await told({ HOLDALL_ORIGIN: 'files.example.org' }, 'HOLDALL_ORIGIN must be an address like');
      await told(
        { HOLDALL_ORIGIN: server.origin, HOLDALL_KEY: 'revoked' },
        'the API key is wrong or no longer valid',
      );
      await told(
        { HOLDALL_ORIGIN: server.origin, HOLDALL_KEY: 'schlüssel' },
        'The API key contains invalid characters',
      );
    } finally {
      other.close();
    }
    const env = { HOLDALL_ORIGIN: `${server.origin}/v1/`, HOLDALL_KEY: ` ${HOLDALL_KEY.toUpperCase()} ` };
    assert.match(await done(holdall(['paste'], 'text', env)), '/r/');
  },
);

client('a paste that is not UTF-8 is refused, a byte order mark is kept', async ({ holdall }) => {
  const { code, err } = await holdall(['paste'], Buffer.from([0x67, 0xfc, 0x6e]));
  assert.is(code, 1);
  assert.is(err, 'holdall: The file is not UTF-8 text\n');
  const marked = JSON.parse(await done(holdall(['paste', '--json'], '\ufefftext')));
  assert.is(marked.content, '\ufefftext');
});

client('pastes keep their text, title and options', async ({ holdall, folder }) => {
  await writeFile(join(folder, 'notes.md'), '# Ünïcode\n');
  const paste = JSON.parse(await done(holdall(['paste', 'notes.md', '--private', '--json'])));
  assert.is(paste.content, '# Ünïcode\n');
  assert.is(paste.title, 'notes.md');
  assert.is(paste.isPublic, false);
  await writeFile(join(folder, 'b.ts'), 'const b = 1;\n');
  const { files, urlSet } = JSON.parse(await done(holdall(['paste', 'notes.md', 'b.ts', '--json'])));
  assert.equal(
    files.map(({ name, text }: { name: string; text: string }) => [name, text]),
    [
      ['notes.md', '# Ünïcode\n'],
      ['b.ts', 'const b = 1;\n'],
    ],
  );
  assert.is(
    await done(holdall(['get', urlSet.shortUrl])),
    '==> notes.md <==\n# Ünïcode\n\n==> b.ts <==\nconst b = 1;\n',
  );
  await done(holdall(['get', urlSet.shortUrl, '-o', 'both']));
  assert.equal((await readdir(join(folder, 'both'))).sort(), ['b.ts', 'notes.md']);
  assert.is(await readFile(join(folder, 'both', 'b.ts'), 'utf8'), 'const b = 1;\n');
  assert.match((await holdall(['get', urlSet.shortUrl, '--output', 'both'])).err, 'both is there already');
  assert.is(await done(holdall(['get', `${urlSet.shortUrl}?file=b.ts`])), 'const b = 1;\n');
});

client(
  'a file of a paste that burns is got once, and asking for one that it has not burns nothing',
  async ({ holdall, folder }) => {
    await writeFile(join(folder, 'a.txt'), 'no line end');
    await writeFile(join(folder, 'b.txt'), 'b\n');
    const link = await done(holdall(['paste', 'a.txt', 'b.txt', '--burn']));
    const none = await holdall(['get', `${link}?file=c.txt`]);
    assert.equal([none.code, none.out], [1, '']);
    assert.is(await done(holdall(['get', link])), '==> a.txt <==\nno line end\n\n==> b.txt <==\nb\n');
    assert.is((await holdall(['get', link])).code, 1);
  },
);

client('an invalid server variable does not hide a refusal', async ({ holdall }) => {
  const { code, err } = await holdall(['shorten', 'ftp://example.org'], '', { PORT: 'x' });
  assert.is(code, 1);
  assert.is(err, (await holdall(['shorten', 'ftp://example.org'])).err);
});

client(
  'a refusal is one line and exit code 1, wrong usage prints the usage and exits with 2',
  async ({ holdall }) => {
    const refused = await holdall(['shorten', 'ftp://example.org']);
    assert.is(refused.code, 1);
    assert.is(refused.err.trim().split('\n').length, 1);
    const toOption = await holdall(['shorten', 'https://example.org', '--max-uses', '0']);
    assert.is(toOption.err, 'holdall: --max-uses: must be at least 1\n');
    for (const args of [
      ['shorten'],
      ['shorten', 'a', 'b'],
      ['paste', '--wrong'],
      ['unknown'],
      ['upload', 'x', '--max-views', 'many'],
    ]) {
      const misused = await holdall(args);
      assert.is(misused.code, 2, args.join(' '));
      assert.match(misused.err, 'holdall');
      assert.not.match(misused.err, /^\s+at /m);
    }
    assert.match(await done(holdall(['help'])), 'backup');
    assert.match(await done(holdall(['upload', '--help'])), '--max-views');
  },
);

client('signing out ends the key of this machine on its server', async ({ holdall, server, folder }) => {
  const main = { key: OWNER.OWNER_API_KEY };
  const named = async () => {
    const answer = await fetch(`${server.origin}/v1/user/get/@me/keys`, {
      headers: { 'x-api-key': main.key },
    });
    const { message } = (await answer.json()) as { message: { content: { name: string }[] } };
    return message.content.length;
  };
  const before = await named();
  assert.is((await holdall(['login', server.origin], `${main.key}\n`)).code, 0);
  assert.is(await named(), before + 1);
  const { code, err } = await holdall(['logout']);
  assert.is(code, 0);
  assert.match(err, /^signed out; .*login\.json was deleted\n$/);
  assert.is(await named(), before);
  assert.match((await holdall(['logout'])).err, 'not signed in');
  const file = join(folder, 'config', 'holdall', 'login.json');
  const port = await freePort();
  await writeFile(file, JSON.stringify({ origin: `http://127.0.0.1:${port}`, apiKey: main.key }));
  assert.match((await holdall(['logout'])).err, /could not be told, so that the key stays valid/);
});

client('what a server answers controls no terminal', async ({ holdall }) => {
  const evil = '\u001b]0;title\u0007\u009b2Jlink\nholdall: more';
  let status = 200;
  const hostile = createServer((request, response) => {
    request.resume();
    const refusal = { message: evil, code: -32600, data: { httpStatus: status, reason: 'INVALID' } };
    const data = { uniqueId: evil, urlSet: { shortUrl: evil } };
    const items = [{ urlSet: { shortUrl: evil }, createdAt: evil, title: evil }];
    const made = { result: { data: request.url?.includes('library.items') ? { items } : data } };
    const answer = status === 200 ? made : { error: refusal };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url?.includes('batch=1') ? [answer] : answer));
  });
  await once(hostile.listen(0, '127.0.0.1'), 'listening');
  const { port } = hostile.address() as AddressInfo;
  const env = { HOLDALL_ORIGIN: `http://127.0.0.1:${port}`, HOLDALL_KEY: OWNER.OWNER_API_KEY };
  try {
    for (const given of [200, 400])
      for (const args of [
        ['shorten', 'https://example.org'],
        ['shorten', 'https://example.org', '--json'],
        ['list'],
      ]) {
        status = given;
        const { code, out, err } = await holdall(args, '', env);
        assert.is(code, given === 200 ? 0 : 1, err);
        assert.match(out + err, 'link', args.join(' '));
        assert.not.match(out + err, /[^\P{Cc}\t\n]/u, args.join(' '));
        assert.not.match(out + err, /^holdall: more/m, args.join(' '));
      }
  } finally {
    hostile.close();
    hostile.closeAllConnections();
  }
});

client('an address is fetched by the server, and a refusal names it', async ({ holdall, server }) => {
  const env = { HOLDALL_ORIGIN: server.origin, HOLDALL_KEY: OWNER.OWNER_API_KEY };
  const { code, err } = await holdall(['upload', 'http://10.0.0.1/a.txt'], '', env);
  assert.is(code, 1);
  assert.match(err, 'the server fetches http://10.0.0.1/a.txt');
  assert.match(err, 'The address is not public');
});

client('lists, opens and deletes items by link or id', async (world) => {
  const { server } = world;
  const env = { HOLDALL_ORIGIN: server.origin, HOLDALL_KEY: OWNER.OWNER_API_KEY, BROWSER: 'true' };
  const holdall = (args: string[], input = '') => world.holdall(args, input, env);
  const link = (
    await done(holdall(['paste', '--title', 'Found by its words', '--expires', '7d'], 'some text'))
  ).trim();
  const id = link.split('/').at(-1) ?? '';
  const listed = await done(holdall(['list', 'words', '--kind', 'paste']));
  assert.match(listed, new RegExp(`^${link}\\t\\d{4}-\\d\\d-\\d\\d\\tFound by its words\\n$`));
  const [item] = JSON.parse(await done(holdall(['list', 'words', '--json'])));
  const days = (Date.parse(item.expiresAt) - Date.now()) / 86_400_000;
  assert.ok(days > 6.9 && days <= 7, `${days}`);
  assert.match(await done(holdall(['open', id])), `${server.origin}/web/paste-render/${id}`);
  assert.match((await holdall(['delete', link])).err, 'deleted Found by its words');
  const again = await holdall(['delete', link]);
  assert.is(again.code, 1);
  assert.match(again.err, 'no item with the ID');
  assert.is((await holdall(['list', '--kind', 'letter'])).code, 2);
});

client('makes and lists links by which others upload', async (world) => {
  const env = { HOLDALL_ORIGIN: world.server.origin, HOLDALL_KEY: OWNER.OWNER_API_KEY };
  const holdall = (args: string[]) => world.holdall(args, '', env);
  const link = await done(
    holdall(['request', 'create', 'Photos, please', '--max-files', '5', '--types', 'image/*,.pdf']),
  );
  assert.match(link, /^https?:.*\/web\/request\/\w+\n?$/);
  assert.match(await done(holdall(['request', 'list'])), /\t\d{4}-\d\d-\d\d\t0\tPhotos, please\n/);
  const [made] = JSON.parse(await done(holdall(['request', 'list', '--json'])));
  assert.equal([made.maxFiles, made.types], [5, ['image/*', '.pdf']]);
  for (const args of [
    ['request'],
    ['request', 'delete'],
    ['request', 'create'],
    ['request', 'create', 'a', 'b'],
  ])
    assert.is((await holdall(args)).code, 2, args.join(' '));
});

client('prints completions for the shells that it knows', async ({ holdall }) => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await done(holdall(['completions', shell]));
    for (const word of ['upload', 'delete', 'max-views']) assert.match(script, word);
    if (has(shell)) execFileSync(shell, ['-n'], { input: script });
  }
  assert.is((await holdall(['completions', 'tcsh'])).code, 2);
});

client.run();
