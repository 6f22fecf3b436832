/** Forms and texts as real clients send them, byte by byte over a socket. */
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../harness.js';
import { ask, headOf, type RawAnswer } from '../hostile/raw.js';

let server: TestServer;
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64').toString(
  'latin1',
);
/** `Größe`, `予定表`, `Фото` in the code pages of Windows, as Latin-1 text of their bytes. */
const GROESSE = 'Gr\xf6\xdfe';
const YOTEI = '\x97\x5c\x92\xe8\x95\x5c';
const FOTO = '\xd4\xee\xf2\xee';

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

/** Sends a body, given as Latin-1, and reads the JSON of the answer. */
async function send(
  target: string,
  type: string,
  body: string,
  more: Record<string, string> = {},
  method = 'POST',
): Promise<RawAnswer & { json: { message: never } }> {
  const head = headOf(method, target.startsWith('//') ? target.slice(1) : `/v1${target}`, {
    'X-API-Key': server.owner.key,
    'Content-Type': type,
    'Content-Length': String(body.length),
    ...more,
  });
  const answer = await ask(server.app.address.port, `${head}${body}`);
  return { ...answer, json: JSON.parse(answer.body.toString() || 'null') };
}

const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const field = (name: string, value: string, more = '') =>
  part(`Content-Disposition: form-data; name="${name}"${more}`, value);
const file = (parameters: string, more = '\r\nContent-Type: image/gif') =>
  part(`Content-Disposition: form-data; name="file"; ${parameters}${more}`, GIF);
const END = '--b--\r\n';
const FORM = 'multipart/form-data; boundary=b';

interface Uploaded {
  readonly uniqueId: string;
  readonly originalName: string | null;
  readonly description: string | null;
  readonly size: number;
}

async function upload(body: string, type = FORM): Promise<Uploaded> {
  const { status, json } = await send('/image/upload', type, body);
  assert.is(status, 200, JSON.stringify(json));
  return json.message;
}

const forms = suite('forms as clients send them');
forms.before(async () => {
  server = await startServer();
});

/** .NET puts any name into one word, however long. */
const LONG = `${'Größe '.repeat(20)}.gif`;

const NAMES: readonly (readonly [what: string, parameters: string, name: string | null])[] = [
  ['UTF-8', `filename="${utf8('Größe 予定表.gif')}"`, 'Größe 予定表.gif'],
  ['windows-1252, as curl.exe', `filename="${GROESSE}.gif"`, 'Größe.gif'],
  ['Shift-JIS, whose 0x5C is no separator', `filename="${YOTEI}.gif"`, '予定表.gif'],
  ['Shift-JIS with an escaped 0x5C', `filename="${YOTEI.replaceAll('\\', '\\\\')}.gif"`, '予定表.gif'],
  ['Shift-JIS with 0x5C at the end', `filename="${YOTEI}"`, '予定表'],
  ['windows-1251', `filename="${FOTO}.gif"`, 'Фото.gif'],
  ['a quoted filename*, as Postman', `filename="a.gif"; filename*="UTF-8''Gr%C3%B6%C3%9Fe.gif"`, 'Größe.gif'],
  ['a filename* in ISO-8859-1', `filename*=iso-8859-1'en'Gr%F6%DFe.gif`, 'Größe.gif'],
  ['a filename* that cannot be read', `filename="a.gif"; filename*=UTF-8''%FF.gif`, 'a.gif'],
  ['an encoded word, as .NET', 'filename="=?utf-8?B?R3LDtsOfZS5naWY=?="', 'Größe.gif'],
  ['a long encoded word, as .NET', `filename="=?utf-8?B?${Buffer.from(LONG).toString('base64')}?="`, LONG],
  [
    'encoded words that split a letter',
    'filename="=?utf-8?Q?Gr=C3?= =?UTF-8?q?=B6=C3=9Fe_100%.gif?="',
    'Größe 100%.gif',
  ],
  ['an encoded word beside something else', 'filename="=?utf-8?B?R3I=?= a.gif"', '=?utf-8?B?R3I=?= a.gif'],
  ['an encoded word that is no text', 'filename="=?utf-8?B?wyg=?="', '=?utf-8?B?wyg=?='],
  ['quotes that are not escaped', 'filename="a "good" one.gif"', 'a "good" one.gif'],
  ['a path of Windows', 'filename="C:\\pictures\\new.gif"', 'new.gif'],
  ['no quotes', 'filename=a b.gif', 'a b.gif'],
  ['the name of standard input', 'filename="-"', null],
  ['no name, but a content', 'filename=""', null],
];
for (const [what, parameters, name] of NAMES) {
  forms(`a file name: ${what}`, async () => {
    const { originalName, size } = await upload(file(parameters) + END);
    assert.equal([originalName, size], [name, GIF.length]);
  });
}

forms('a part with the type of a file is one without a name as well', async () => {
  const { originalName, size } = await upload(
    part('Content-Disposition: form-data; name="file"\r\nContent-Type: image/gif', GIF) + END,
  );
  assert.equal([originalName, size], [null, GIF.length]);
});

forms('an empty file field beside the file is ignored', async () => {
  const empty = part(
    'Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream',
    '',
  );
  assert.is((await upload(empty + file('filename="a.gif"') + END)).originalName, 'a.gif');
});

const BOUNDARIES: readonly (readonly [what: string, header: string, boundary: string])[] = [
  ['with = and /, unquoted', 'boundary==_Part/1=a', '=_Part/1=a'],
  ['quoted', 'boundary="a b:c"', 'a b:c'],
  ['followed by a parameter', 'boundary=x; charset=utf-8', 'x'],
  ['in capitals and with spaces', 'BOUNDARY = x', 'x'],
];
for (const [what, header, boundary] of BOUNDARIES) {
  forms(`a boundary ${what}`, async () => {
    const body = (file('filename="a.gif"') + END).replaceAll('--b', `--${boundary}`);
    assert.is((await upload(body, `multipart/form-data; ${header}`)).size, GIF.length);
  });
}

const LAYOUTS: readonly (readonly [what: string, change: (body: string) => string])[] = [
  [
    'padding behind the boundary',
    (body) => body.replaceAll('--b\r\n', '--b \t\r\n').replace('--b--', '--b-- '),
  ],
  ['bare line feeds', (body) => body.replaceAll('\r\n', '\n')],
  ['no line break behind the last boundary', (body) => body.slice(0, -2)],
  ['text around the form', (body) => `a preamble --b\r\n${body}an epilogue\r\n--b\r\n`],
];
for (const [what, change] of LAYOUTS) {
  forms(`a form with ${what} keeps every byte of the file`, async () => {
    const { size, description } = await upload(
      change(field('desc', 'a text') + file('filename="a.gif"') + END),
    );
    assert.equal([size, description], [GIF.length, 'a text']);
  });
}

forms('a file that contains what looks like a boundary arrives whole, in pieces of any size', async () => {
  const content = `\x00\xffdata\r\n--bb\r\n--b-\r\n-\r\n--`;
  const { uniqueId } = await upload(
    part('Content-Disposition: form-data; name="file"; filename="a.bin"', content) + END,
  );
  const { body } = await ask(
    server.app.address.port,
    headOf('GET', `/v1/image/get/${uniqueId}?download=true`, { 'X-API-Key': server.owner.key }),
  );
  assert.is(body.toString('latin1'), content);
});

const CAPTIONS: readonly (readonly [what: string, form: string])[] = [
  ['UTF-8', field('desc', utf8('Größe'))],
  ['windows-1252 that nobody names', field('desc', GROESSE)],
  ['the charset of its part', field('desc', GROESSE, '\r\nContent-Type: text/plain; charset=iso-8859-1')],
  [
    'UTF-16 of its part',
    field(
      'desc',
      Buffer.from('Größe', 'utf16le').toString('latin1'),
      '\r\nContent-Type: text/plain; charset=utf-16le',
    ),
  ],
  ['the charset of _charset_', field('_charset_', 'iso-8859-1') + field('desc', GROESSE)],
  ['the charset of a later _charset_', field('desc', GROESSE) + field('_charset_', 'iso-8859-1')],
];
for (const [what, form] of CAPTIONS) {
  forms(`a field beside a file: ${what}`, async () => {
    assert.is((await upload(form + file('filename="a.gif"') + END)).description, 'Größe');
    assert.is((await upload(file('filename="a.gif"') + form + END)).description, 'Größe');
  });
}

forms('a form without a boundary is refused with that reason', async () => {
  const { status, json } = await send('/image/upload', 'multipart/form-data', file('filename="a.gif"') + END);
  assert.is(status, 400);
  assert.match(json.message, 'boundary');
});

forms('a paste from standard input has no title', async () => {
  const body = part('Content-Disposition: form-data; name="file"; filename="-"', 'a text') + END;
  const { json } = await send('/paste/create', FORM, body);
  const { title, uniqueId } = json.message as { title: string; uniqueId: string };
  assert.is(title, uniqueId);
});

forms.run();

const texts = suite('texts in other charsets than UTF-8');

/** A text `Grüße`, named for what it is: decoded. */
const DECODED: readonly (readonly [what: string, type: string, body: string])[] = [
  ['JSON', 'application/json', utf8('{"text":"Grüße"}')],
  ['JSON with a byte order mark', 'application/json', utf8('\ufeff{"text":"Grüße"}')],
  ['JSON in ISO-8859-1', 'application/json; charset=iso-8859-1', '{"text":"Gr\xfc\xdfe"}'],
  ['JSON in UTF-16', 'application/json', Buffer.from('{"text":"Grüße"}', 'utf16le').toString('latin1')],
  [
    'JSON in UTF-16 with its mark',
    'application/json; charset=utf-16',
    `\xff\xfe${Buffer.from('{"text":"Grüße"}', 'utf16le').toString('latin1')}`,
  ],
  ['JSON in an unknown charset that is UTF-8', 'application/json; charset=x-none', utf8('{"text":"Grüße"}')],
  ['a form', 'application/x-www-form-urlencoded', 'text=Gr%C3%BC%C3%9Fe'],
  ['a form of raw bytes', 'application/x-www-form-urlencoded', utf8('text=Grüße')],
  ['a form in ISO-8859-1', 'application/x-www-form-urlencoded; charset=ISO-8859-1', 'text=Gr%FC%DFe'],
  [
    'a form that names its charset',
    'application/x-www-form-urlencoded',
    '_charset_=windows-1252&text=Gr%FC%DFe',
  ],
  ['multipart', FORM, field('text', utf8('Grüße')) + END],
  [
    'a part in ISO-8859-1',
    FORM,
    field('text', 'Gr\xfc\xdfe', '\r\nContent-Type: text/plain; charset=iso-8859-1') + END,
  ],
  [
    'a text file in ISO-8859-1',
    FORM,
    part(
      'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain; charset=iso-8859-1',
      'Gr\xfc\xdfe',
    ) + END,
  ],
];
for (const [what, type, body] of DECODED) {
  texts(`${what}: stored as it was meant`, async () => {
    const { status, json } = await send('/paste/create', type, body);
    assert.is(status, 200, JSON.stringify(json));
    const { uniqueId } = json.message as { uniqueId: string };
    const { text } = await server.request('GET', `/paste/get/${uniqueId}?raw=true`, {
      key: server.owner.key,
    });
    assert.match(text, 'Grüße');
  });
}

/** The same bytes without a word about their charset, or with a wrong one: refused. */
const REFUSED: readonly (readonly [what: string, type: string, body: string])[] = [
  ['JSON', 'application/json', '{"text":"Gr\xfc\xdfe","url":"http://a.example/\xfc"}'],
  ['JSON without a type', '', '{"text":"Gr\xfc\xdfe","url":"http://a.example/\xfc"}'],
  [
    'JSON that says UTF-8',
    'application/json; charset=utf-8',
    '{"text":"Gr\xfc\xdfe","url":"http://a.example/\xfc"}',
  ],
  [
    'JSON in an unknown charset',
    'application/json; charset=x-none',
    '{"text":"Gr\xfc\xdfe","url":"http://a.example/\xfc"}',
  ],
  ['a form', 'application/x-www-form-urlencoded', 'text=Gr%FC%DFe&url=http://a.example/%FC'],
  [
    'multipart, as command | holdall.sh',
    FORM,
    field('text', 'Gr\xfc\xdfe') + field('url', 'http://a.example/\xfc') + END,
  ],
];
for (const [what, type, body] of REFUSED) {
  texts(`${what}: refused with 400 that names UTF-8, on every route with a body`, async () => {
    for (const [method, target] of [
      ['POST', '/paste/create'],
      ['POST', '/url/create'],
      ['POST', '/email/send'],
      ['PATCH', '/image/playlist/get/ABCDEFGH'],
    ] as const) {
      const { status, json } = await send(target, type, body, {}, method);
      assert.equal([status, target], [400, target], JSON.stringify(json));
      assert.match(json.message, 'UTF-8');
    }
  });
}

texts('a parameter of the address is never damaged', async () => {
  for (const name of ['Gr%C3%B6%C3%9Fe', 'Gr%F6%DFe']) {
    const { status, json } = await send(`/image/upload?filename=${name}.gif`, 'image/gif', GIF);
    assert.is(status, 200, JSON.stringify(json));
    assert.is((json.message as Uploaded).originalName, 'Größe.gif');
  }
});

texts('a compressed body is refused with 415 wherever a body is read', async () => {
  const body = gzipSync('{"text":"a"}').toString('latin1');
  for (const [target, type] of [
    ['/paste/create', 'application/json'],
    ['/url/create', 'application/x-www-form-urlencoded'],
    ['/image/upload', FORM],
    ['//trpc/paste.create', 'application/json'],
  ] as const) {
    const { status, body: answer } = await send(target, type, body, { 'Content-Encoding': 'gzip' });
    assert.equal([status, target], [415, target]);
    assert.match(answer.toString(), 'Content-Encoding');
  }
  assert.is(
    (await send('/paste/create', 'application/json', '{"text":"a"}', { 'Content-Encoding': 'identity' }))
      .status,
    200,
  );
});

texts('two Host headers are refused', async () => {
  const { port } = server.app.address;
  const answer = await ask(port, 'GET /v1/status HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n');
  assert.is(answer.status, 400);
  assert.match(answer.body.toString(), 'host');
});

texts.after(() => server.close());
texts.run();
