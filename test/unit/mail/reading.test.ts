import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InboundRefused } from '../../../routers/base/ports/mail/mail.js';
import { readFields } from '../../../server/drivers/mail/reading/fields.js';
import { wordsOfHtml } from '../../../server/drivers/mail/reading/html-words.js';
import { takeMail } from '../../../server/drivers/mail/reading/tasks.js';

const BOX = 'box@holdall.example';

/** A whole message as a worker sends it. */
const raw = async (lines: readonly string[] | Buffer) => {
  const bytes = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join('\r\n'), 'latin1');
  const fields = { from: 'a@b.example', to: BOX, raw: bytes.toString('base64'), rawEncoding: 'base64' };
  return (await readFields({ fields, parts: [] }, false)).mail;
};

const fields = async (given: object) =>
  (await readFields({ fields: { from: 'a@b.example', to: BOX, ...given }, parts: [] }, false)).mail;

/** Why an object is refused as malformed. */
async function refusal(given: object): Promise<string> {
  try {
    await fields(given);
  } catch (error) {
    assert.instance(error, InboundRefused);
    assert.is((error as InboundRefused).reason, 'malformed');
    return (error as Error).message;
  }
  assert.unreachable('must be refused');
  return '';
}

const bytesOf = (mail: Awaited<ReturnType<typeof raw>>): string[] =>
  mail.attachments.map(({ content }) => (content.kind === 'bytes' ? content.bytes.toString('latin1') : ''));

const words = suite('words of a header');

words('encoded words are decoded wherever they stand, also those split inside a letter', async () => {
  const subject = '=?UTF-8?B?44GT44KT44Gr44Gh44Gv?=';
  const halves = '=?UTF-8?B?44GT44KT44Gr44Gh4w==?= =?UTF-8?B?ga8=?=';
  for (const given of [subject, halves, '=?utf-8?Q?=E3=81=93=E3=82=93=E3=81=AB=E3=81=A1=E3=81=AF?=']) {
    assert.is((await fields({ subject: given, text: 'x' })).subject, 'こんにちは');
    assert.is((await fields({ headers: { Subject: given }, text: 'x' })).subject, 'こんにちは');
    assert.is((await raw([`Subject: ${given}`, '', 'x'])).subject, 'こんにちは');
  }
  const mail = await raw([
    'From: =?iso-8859-1?Q?Andr=E9?= <andre@x.example>',
    'X-A: =?koi8-r?B?8NLJ18XU?=',
    '',
    'x',
  ]);
  assert.is(mail.from, 'André <andre@x.example>');
  assert.is(mail.headers['X-A'], 'Привет');
});

words('encoded words may be in charsets of old mail', async () => {
  const subject = '=?iso-2022-kr?B?DiE8PkgzZ0dPPDw/ZA8=?= =?UTF-7?Q?+ImIDkQ-?=';
  const mail = await raw([`Subject: ${subject}`, '', 'x']);
  assert.is(mail.subject, '【안녕하세요≢Α');
});

words('what is inside of an encoded word separates nothing', async () => {
  const to = '=?utf-8?Q?Doe=2C_John?= <john@x.example>, =?utf-8?Q?Roe,_Jane?= <jane@x.example>';
  assert.equal((await raw([`To: ${to}`, '', 'x'])).to, [
    '"Doe, John" <john@x.example>',
    '"Roe, Jane" <jane@x.example>',
  ]);
  const [file] = (
    await fields({ attachments: [{ filename: '=?UTF-8?B?0L/RgNC40LLQtdGCLnR4dA==?=', content: 'YQ==' }] })
  ).attachments;
  assert.is(file?.filename, 'привет.txt');
});

words('bytes that no charset was named for are UTF-8 or guessed', async () => {
  assert.is((await raw(Buffer.from('Subject: Grüße\r\n\r\nx'))).subject, 'Grüße');
  assert.is((await raw(Buffer.from('Subject: Gr\xfc\xdfe\r\n\r\nx', 'latin1'))).subject, 'Grüße');
});

words('addresses in groups, in every form that parsers give them, are recipients', async () => {
  for (const to of [
    `Team: a@x.example, ${BOX};`,
    [{ name: 'Team', group: [{ name: 'Me', address: BOX }] }],
    { value: [{ address: BOX, name: 'Me' }], text: `Me <${BOX}>`, html: '' },
    [{ value: [{ name: 'Team', group: [{ address: BOX }] }] }],
    { name: 'Me', email: BOX },
  ]) {
    const mail = await fields({ to, text: 'x' });
    assert.ok(mail.recipients.includes(BOX), JSON.stringify(to));
    assert.match(mail.to.join(), BOX);
  }
  assert.equal((await raw([`To: undisclosed-recipients:;`, '', 'x'])).to, []);
  assert.equal((await fields({ to: 'Box@Holdall.EXAMPLE.', text: 'x' })).recipients, [BOX]);
});

words('a date without a zone is UTC, whatever the zone of the server', async () => {
  for (const date of [
    '2026-11-24 10:00:00',
    'Tue, 24 Nov 2026 10:00:00',
    '2026-11-24T10:00:00',
    '11/24/2026 10:00:00 AM',
  ])
    assert.is((await fields({ date, text: 'x' })).date, Date.UTC(2026, 10, 24, 10), date);
  assert.is(
    (await fields({ date: 'Tue, 24 Nov 2026 10:00:00 +0100 (CET)', text: 'x' })).date,
    Date.UTC(2026, 10, 24, 9),
  );
});

words.run();

const message = suite('a whole message');

message('texts of every charset of iconv are read', async () => {
  const cases: [string, number[], string][] = [
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x24, 0x33, 0x24, 0x73, 0x1b, 0x28, 0x42], 'こん'],
    ['windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
    ['cp437', [0x81, 0xe1], 'üß'],
    ['macintosh', [0x9f, 0xa7], 'üß'],
    ['gb18030', [0xc4, 0xe3], '你'],
    ['utf-16le', [0x61, 0, 0x62, 0], 'ab'],
    ['unknown-8bit', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße'],
    ['no-such-charset', [0xc3, 0xbc], 'ü'],
    ['utf-7', [...Buffer.from('A+ImIDkQ. +- +2D3eAA-')], 'A≢Α. + 😀'],
    ['iso-2022-kr', [...Buffer.from('\x1b$)Ca\n\x0e>H3gGO<<?d\x0f abc', 'latin1')], 'a\n안녕하세요 abc'],
    ['iso-2022-cn', [...Buffer.from('\x1b$)A\x0eDcC4\x0f.', 'latin1')], '你么.'],
    ['hz-gb-2312', [...Buffer.from('a ~~ ~{DcC4~} b~\nc', 'latin1')], 'a ~ 你么 bc'],
    ['johab', [0xb4, 0x65, 0x91, 0x77, 0xd0, 0x61, 0xad, 0x41, 0xb6, 0x61, 0x20, 0x61], '안녕하세요 a'],
    ['johab', [0x88, 0x41, 0xf7, 0xd3, 0xd9, 0x36, 0x84, 0x61], 'ㄱ漢…ㅏ'],
  ];
  for (const [charset, bytes, text] of cases) {
    const body = Buffer.from(bytes).toString('base64');
    const type = `Content-Type: text/plain; charset="${charset}"`;
    const mail = await raw([type, 'Content-Transfer-Encoding: base64', '', body]);
    assert.is(mail.text, text, charset);
  }
});

const NESTED = [
  'Subject: parts',
  'Content-Type: multipart/mixed; boundary=m',
  '',
  'for old programs',
  '--m',
  'Content-Type: multipart/related; boundary=r',
  '',
  '--r',
  'Content-Type: multipart/alternative; boundary=a',
  '',
  '--a',
  'Content-Type: text/plain; charset=utf-8; format=flowed',
  '',
  'a long ',
  'line',
  '--a',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>formatted <img src="cid:pic@x"></p>',
  '--a--',
  '--r',
  'Content-Type: image/png',
  'Content-ID: <pic@x>',
  'Content-Disposition: inline',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw==',
  '--r--',
  '--m',
  "Content-Type: application/pdf; name*0*=utf-8''Gr%C3%BC; name*1*=%C3%9Fe.pdf",
  'Content-Transfer-Encoding: base64',
  '',
  'JVBERg==',
  '--m',
  'Content-Type: message/rfc822',
  '',
  'Subject: fwd',
  '',
  'inside',
  '--m',
  'Content-Type: text/plain',
  '',
  'footer',
  '--m--',
];

message('its parts are texts or attachments, and none is dropped', async () => {
  const mail = await raw(NESTED);
  assert.is(mail.text, 'a long line\nfooter');
  assert.match(mail.html ?? '', 'formatted');
  assert.match(mail.html ?? '', 'footer');
  assert.equal(
    mail.attachments.map(({ filename, contentType, contentId, disposition }) => [
      filename,
      contentType,
      contentId,
      disposition,
    ]),
    [
      ['attachment-1.png', 'image/png', 'pic@x', 'inline'],
      ['Grüße.pdf', 'application/pdf', null, null],
      ['attachment-3.eml', 'message/rfc822', null, null],
    ],
  );
  assert.equal(bytesOf(mail), ['\x89PNG', '%PDF', 'Subject: fwd\r\n\r\ninside']);
  assert.not.ok(mail.truncated);
});

message('line ends that were changed on the way change nothing', async () => {
  const [crlf, lf] = [await raw(NESTED), await raw(Buffer.from(NESTED.join('\n')))];
  assert.equal({ ...lf, messageId: '' }, { ...crlf, messageId: '' });
});

message('as text, the bytes are those that it had', async () => {
  const source = 'Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nGrüße 你';
  for (const given of [source, Buffer.from(source).toString('latin1')])
    assert.is((await fields({ raw: given })).text, 'Grüße 你');
  const narrow = 'Subject: x\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe';
  assert.is((await fields({ raw: narrow })).text, 'Grüße');
});

message('a boundary that is missing or wrong leaves the text', async () => {
  assert.match(
    (await raw(['Content-Type: multipart/mixed', '', 'all that there is'])).text,
    'all that there is',
  );
  const wrong = ['Content-Type: multipart/mixed; boundary=a', '', '--b', '', 'all that there is', '--b--'];
  assert.match((await raw(wrong)).text, 'all that there is');
});

message(
  'with 10,000 parts, 1,000 in each other, or a header of 1 MB it is read, and says what is missing',
  async () => {
    const many = ['Content-Type: multipart/mixed; boundary=m', ''];
    for (let n = 0; n < 10_000; n += 1) many.push('--m', 'Content-Type: image/png', '', `${n}`);
    const mail = await raw([...many, '--m', 'Content-Type: text/plain', '', 'last', '--m--']);
    assert.is(mail.attachments.length, 200);
    assert.is(mail.text, 'last');
    assert.ok(mail.truncated);

    const deep: string[] = [];
    for (let n = 0; n < 1_000; n += 1)
      deep.push(`Content-Type: multipart/mixed; boundary=b${n}`, '', `--b${n}`);
    assert.is((await raw([...deep, '', 'deepest'])).text, 'deepest');

    for (const header of [`X: ${'x'.repeat(1_000_000)}`, 'X: y\r\n'.repeat(160_000).trim()]) {
      const long = await raw(['Subject: kept', header, '', 'body']);
      assert.equal([long.subject, long.text, long.truncated], ['kept', 'body', true]);
    }
  },
);

message('what is none is refused, in text and in bytes', async () => {
  assert.match(await refusal({ raw: 'no header at all\r\n\r\nx' }), 'begins with no header');
  assert.match(await refusal({ raw: '###', rawEncoding: 'base64' }), 'raw: it is not base64');
  assert.match(await refusal({ raw: 'YQ==', rawEncoding: 'rot13' }), 'its encoding is not known');
  assert.match(await refusal({ subject: 'lost on its way', raw: '' }), 'the whole message in raw is empty');
});

message(
  'a message that is too much to be taken apart keeps its headers and the beginning of its body',
  async () => {
    const parts = '--b\r\nContent-Type: text/html\r\n\r\n<p>found</p>\r\n'.repeat(20_000);
    for (const end of ['\r\n', '\n']) {
      const head = `Subject: =?utf-8?q?gr=C3=BCn?=${end}From: a@b.example${end}Message-ID: <1@b.example>${end}`;
      const bytes = Buffer.from(`${head}Content-Type: multipart/mixed; boundary=b${end}${end}${parts}`);
      const envelope = { sender: 'a@b.example', recipients: [BOX] };
      const taken = await takeMail({ message: bytes, envelope, withheld: new Set(), plain: true });
      if ('refused' in taken) throw new Error(taken.refused.message);
      const { mail } = taken;
      assert.is(mail.subject, 'grün');
      assert.is(mail.messageId, '1@b.example');
      assert.equal(mail.recipients, [BOX]);
      assert.match(mail.text, /^--b\nContent-Type: text\/html\n\n<p>found/);
      assert.ok(mail.text.length > 200_000 && mail.text.length < 300_000, String(mail.text.length));
      assert.ok(mail.truncated);
      assert.equal(mail.attachments, []);
    }
  },
);

message.run();

const objects = suite('objects of programs');

objects(
  'attachments are read in the encoding that they name, and refused if they are not in it',
  async () => {
    const bytes = Buffer.from('hello wörld');
    const contents = [
      { content: 'hello wörld', encoding: 'utf8' },
      { content: bytes.toString('base64'), encoding: 'base64' },
      { contentBase64: bytes.toString('base64') },
      { content: bytes.toString('hex'), encoding: 'hex' },
      { content: JSON.parse(JSON.stringify(bytes)) },
      { content: [...bytes] },
      { content: { ...new Uint8Array(bytes) } },
    ];
    for (const content of contents) {
      const mail = await fields({ text: 'x', attachments: [{ filename: 'a.txt', ...content }] });
      assert.equal(bytesOf(mail), [bytes.toString('latin1')], JSON.stringify(content).slice(0, 60));
    }
    for (const content of [
      { content: 'hello wörld' },
      { content: {} },
      { size: 5 },
      { content: 'x', encoding: 'rot13' },
    ])
      assert.match(
        await refusal({ text: 'x', attachments: [{ filename: 'a', ...content }] }),
        'attachments.0',
      );
  },
);

objects('what postal-mime and mailparser make of a message is a mail', async () => {
  const common = { subject: 'Hi', text: 'x', messageId: '<m@x>' };
  const postal = await fields({
    ...common,
    from: { name: 'Bob', address: 'bob@x.example' },
    to: [{ name: '', address: BOX }],
    replyTo: [{ name: '', address: 'r@x.example' }],
    headers: [{ key: 'x-one', originalKey: 'X-One', value: 'a' }],
    attachments: [
      {
        filename: null,
        mimeType: 'image/png',
        disposition: 'inline',
        contentId: '<p@x>',
        content: 'YQ==',
        encoding: 'base64',
      },
    ],
  });
  const parser = await fields({
    ...common,
    from: { value: [{ address: 'bob@x.example', name: 'Bob' }], text: '"Bob" <bob@x.example>' },
    to: { value: [{ address: BOX, name: '' }], text: BOX },
    replyTo: { value: [{ address: 'r@x.example', name: '' }], text: 'r@x.example' },
    headerLines: [{ key: 'x-one', line: 'X-One: a' }],
    attachments: [
      {
        type: 'attachment',
        contentType: 'image/png',
        contentDisposition: 'inline',
        cid: 'p@x',
        content: { type: 'Buffer', data: [97] },
      },
    ],
  });
  assert.is(postal.from, 'Bob <bob@x.example>');
  assert.equal(postal.replyTo, ['r@x.example']);
  assert.is(postal.attachments[0]?.filename, 'attachment-1.png');
  assert.is(postal.attachments[0]?.contentId, 'p@x');
  assert.equal({ ...parser, headers: {} }, { ...postal, headers: {} });
});

objects('with content in a field that nobody knows they are refused, not stored empty', async () => {
  assert.match(await refusal({ subject: 'x', bodyText2: 'hello' }), 'bodyText2');
  assert.match(await refusal({ rawContents: 'hello' }), 'rawContents');
  assert.is((await fields({ subject: 'only a subject', size: 10 })).subject, 'only a subject');
});

objects.run();

const html = suite('the words of HTML');

html('of any size and depth are found without a tree', () => {
  const rows = `first<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(5_000)}</table>last`;
  assert.match(wordsOfHtml(rows, 1e6).text, /^first\n+a b\n[\s\S]*last$/);
  const deep = `first${'<div>'.repeat(100_000)}deep`;
  assert.is(wordsOfHtml(deep, 1e6).text, 'first\n\ndeep');
  const picture = `one<img src="data:image/png;base64,${'A'.repeat(2_000_000)}">two`;
  assert.is(wordsOfHtml(picture, 1e6).text, 'onetwo');
  assert.ok(wordsOfHtml('x'.repeat(100), 10).cut);
});

html('are without scripts, style sheets and the title', () => {
  const source = '<title>t</title><style>p{}</style><script>if (a<b) "</p>"</script><p>shown &amp; kept</p>';
  assert.is(wordsOfHtml(source, 1e6).text, 'shown & kept');
});

html.run();
