/** Messages of the kinds that the suites of mail parsers have, with what they say. */

/** A message, and what every way in must make of it. */
export interface KnownMessage {
  readonly name: string;
  /** Each letter is a byte. */
  readonly raw: string;
  readonly subject?: string;
  readonly from?: string;
  readonly text?: string;
  readonly html?: RegExp;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly type: string;
    readonly bytes: string;
  }[];
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Headers and a body, in lines of a message. */
const message = (head: readonly string[], ...body: readonly string[]): string =>
  [...head, '', ...body, ''].join('\r\n');

const FROM = 'From: Ada <ada@example.net>';
const MIXED = 'Content-Type: multipart/mixed; boundary="b"';

export const MESSAGES: readonly KnownMessage[] = [
  {
    name: 'only a text, without any type',
    raw: message([FROM, 'Subject: Plain'], 'Hello', 'there'),
    subject: 'Plain',
    from: 'Ada <ada@example.net>',
    text: 'Hello\nthere',
  },
  {
    name: 'folded and encoded headers',
    raw: message(
      [FROM, 'Subject: =?UTF-8?Q?Avaldus_lepingu_?=', '\t=?UTF-8?Q?l=C3=B5petamiseks?= and', ' more'],
      'x',
    ),
    subject: 'Avaldus lepingu lõpetamiseks and more',
  },
  {
    name: 'words that are split inside of a letter',
    raw: message([FROM, 'Subject: =?utf-8?B?4pyT4p0=?= =?utf-8?B?pA==?='], 'x'),
    subject: '✓❤',
  },
  {
    name: 'headers in plain UTF-8',
    raw: message(['From: Zoë <zoe@example.net>', 'Subject: Grüße ✓'].map(bytes), 'x'),
    subject: 'Grüße ✓',
    from: 'Zoë <zoe@example.net>',
  },
  {
    name: 'quoted-printable with soft line ends, spaces and broken escapes',
    raw: message(
      [FROM, 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
      'J=C3=B5ge=',
      'va =3D =ZZ done   ',
      'end',
    ),
    text: 'Jõgeva = =ZZ done\nend',
  },
  {
    name: 'base64 that is broken into short lines with spaces',
    raw: message(
      [FROM, 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: BASE64'],
      ...(base64('one ✓ two').match(/.{1,5}/g) ?? []).map((line) => ` ${line}`),
    ),
    text: 'one ✓ two',
  },
  {
    name: 'ISO-2022-KR',
    raw: message(
      [
        FROM,
        'Subject: =?ISO-2022-KR?B?DiE8PkgzZ0dPPDw/ZA8=?=',
        'Content-Type: text/plain; charset=iso-2022-kr',
      ],
      '\x1b$)C',
      '\x0e>H3gGO<<?d\x0f',
    ),
    subject: '【안녕하세요',
    text: '\n안녕하세요',
  },
  {
    name: 'windows-1251 in eight bits',
    raw: message(
      [FROM, 'Content-Type: text/plain; charset=windows-1251', 'Content-Transfer-Encoding: 8bit'],
      '\xcf\xf0\xe8\xe2\xe5\xf2',
    ),
    text: 'Привет',
  },
  {
    name: 'Shift_JIS',
    raw: message([FROM, 'Content-Type: text/plain; charset=Shift_JIS'], '\x82\xb1\x82\xf1'),
    text: 'こん',
  },
  {
    name: 'UTF-7',
    raw: message([FROM, 'Content-Type: text/plain; charset=utf-7'], 'A+ImIDkQ.'),
    text: 'A≢Α.',
  },
  {
    name: 'flowed text',
    raw: message(
      [FROM, 'Content-Type: text/plain; format=flowed; delsp=yes'],
      'first line ',
      'of text ',
      'and more',
      '> a quote',
    ),
    text: 'first lineof textand more\n> a quote',
  },
  {
    name: 'text and HTML with a picture inside, and a file',
    raw: message(
      [FROM, 'Subject: Parts', MIXED],
      'for old programs',
      '--b',
      'Content-Type: multipart/alternative; boundary=c',
      '',
      '--c',
      '',
      'plain',
      '--c',
      'Content-Type: multipart/related; boundary=d',
      '',
      '--d',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>formatted <img src="cid:logo@x"></p>',
      '--d',
      'Content-Type: image/gif; name=logo.gif',
      'Content-ID: <logo@x>',
      'Content-Transfer-Encoding: base64',
      '',
      'R0lGODlh',
      '--d--',
      '--c--',
      '--b',
      'Content-Type: application/octet-stream',
      "Content-Disposition: attachment; filename*0*=utf-8''j%C3%B5ge; filename*1=va.bin",
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from([0, 1, 2, 253, 254, 255]).toString('base64'),
      '--b--',
      'behind everything',
    ),
    text: 'plain',
    html: /formatted/,
    attachments: [
      { filename: 'logo.gif', type: 'image/gif', bytes: 'GIF89a' },
      { filename: 'jõgeva.bin', type: 'application/octet-stream', bytes: '\x00\x01\x02\xfd\xfe\xff' },
    ],
  },
  {
    name: 'a mail inside of a mail, kept as a file',
    raw: message(
      [FROM, MIXED],
      '--b',
      '',
      'see below',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      'Content-Type: multipart/mixed; boundary=i',
      '',
      '--i',
      '',
      'inside',
      '--i--',
      '--b--',
    ),
    text: 'see below',
    attachments: [
      {
        filename: 'attachment-1.eml',
        type: 'message/rfc822',
        bytes:
          'Subject: inner\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\ninside\r\n--i--',
      },
    ],
  },
  {
    name: 'an invitation in a calendar',
    raw: message(
      [FROM, 'Content-Type: multipart/alternative; boundary=b'],
      '--b',
      '',
      'come',
      '--b',
      'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
      '',
      'BEGIN:VCALENDAR',
      'END:VCALENDAR',
      '--b--',
    ),
    text: 'come',
    attachments: [
      { filename: 'attachment-1.ics', type: 'text/calendar', bytes: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' },
    ],
  },
  {
    name: 'parts without an end',
    raw: message(
      [FROM, MIXED],
      '--b',
      'Content-Type: text/plain',
      '',
      'first',
      '--b',
      'Content-Type: text/html',
      '',
      '<b>second</b>',
    ),
    text: 'first\nsecond',
    html: /<b>second<\/b>/,
  },
  {
    name: 'file names in encoded words, quoted and not',
    raw: message(
      [FROM, MIXED],
      '--b',
      'Content-Disposition: attachment; filename="=?utf-8?Q?=C3=A4.txt?="',
      'Content-Type: text/plain',
      '',
      'a',
      '--b',
      'Content-Type: text/plain; name==?utf-8?B?w7YudHh0?=',
      'Content-Disposition: attachment',
      '',
      'o',
      '--b--',
    ),
    attachments: [
      { filename: 'ä.txt', type: 'text/plain', bytes: 'a' },
      { filename: 'ö.txt', type: 'text/plain', bytes: 'o' },
    ],
  },
  {
    name: 'lines that begin with dots, and a line of 5,000 letters',
    raw: message([FROM], '.', '..', '.dot', 'x'.repeat(5_000)),
    text: `.\n..\n.dot\n${'x'.repeat(5_000)}`,
  },
];
