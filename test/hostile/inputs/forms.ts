/** Multipart bodies that no browser would send, written byte by byte. */

/** One hostile request: its body, and its headers besides the common ones. */
export interface HostileForm {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The expected result. */
  readonly status: readonly number[];
}

const TYPE = 'multipart/form-data; boundary=b';
const PIXEL =
  'GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;';

/** A part as it appears between two boundaries. */
const part = (disposition: string, content: string, more = ''): string =>
  `--b\r\nContent-Disposition: ${disposition}\r\n${more}\r\n${content}\r\n`;
const END = '--b--\r\n';
const field = (name: string, value: string) => part(`form-data; name="${name}"`, value);

/** A part with a file that is a picture. */
export const file = (parameters = 'filename="a.gif"'): string =>
  part(`form-data; name="file"; ${parameters}`, PIXEL, 'Content-Type: image/gif\r\n');

const form = (body: string, status: readonly number[], type = TYPE): HostileForm => ({
  headers: { 'Content-Type': type, 'Content-Length': String(body.length) },
  body,
  status,
});
const sized = (count: number, size: number) =>
  Array.from({ length: count }, (_, index) => field(`f${index}`, 'x'.repeat(size))).join('');
const fields = (count: number) => sized(count, 1);

/** Forms whose parts are malformed by mistake or on purpose. */
export const forms: Readonly<Record<string, HostileForm>> = {
  'as it should be': form(file() + END, [200]),
  'no boundary': form(file() + END, [400], 'multipart/form-data'),
  'an empty boundary': form(file() + END, [400], 'multipart/form-data; boundary='),
  'two boundaries': form(file() + END, [200, 400], `${TYPE}; boundary=c`),
  'a boundary of 5,000 characters': form(
    file() + END,
    [400],
    `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
  ),
  'a boundary that never comes': form(file() + END, [400], 'multipart/form-data; boundary=other'),
  // A body of any type other than a form is a file.
  'another kind of multipart': form(file() + END, [200], 'multipart/mixed; boundary=b'),
  'a type that is no type': form(file() + END, [200, 400], 'multipart/form-data/x; boundary=b'),
  'parameters without a value': form(
    file() + END,
    [200, 400],
    'multipart/form-data; ; =; boundary; boundary=b',
  ),
  'a file whose name follows 40 parameters': form(
    part(`form-data${';a=b'.repeat(40)}; name="file"; filename="a.gif"`, PIXEL) + END,
    [400],
  ),
  'a file whose name follows 20 parameters': form(
    part(`form-data${';a=b'.repeat(20)}; name="file"; filename="a.gif"`, PIXEL) + END,
    [200],
  ),
  'no last boundary': form(file(), [400]),
  'nothing but the last boundary': form(END, [400]),
  'nothing at all': form('', [400]),
  'something after the end': form(`${file()}${END}${file()}${END}trailing`, [200, 400]),
  'something before the start': form(`preamble\r\n${file()}${END}`, [200, 400]),
  'bare line feeds': form((file() + END).replaceAll('\r\n', '\n'), [200]),
  'a form in a form': form(
    part(
      'form-data; name="file"',
      `--c\r\nContent-Disposition: attachment; filename="a.gif"\r\n\r\n${PIXEL}\r\n--c--`,
      'Content-Type: multipart/mixed; boundary=c\r\n',
    ) + END,
    [400],
  ),
  '3,000 fields': form(fields(3_000) + file() + END, [400]),
  '3,000 parts without a name': form(`${part('form-data', 'x').repeat(3_000)}${END}`, [400]),
  '3,000 empty files': form(`${part('form-data; name="file"; filename=""', '').repeat(3_000)}${END}`, [400]),
  'the same field 60 times': form(field('desc', 'x').repeat(60) + file() + END, [200, 400]),
  'a field of 2 MiB': form(field('desc', 'x'.repeat(2 * 1024 * 1024)) + file() + END, [413]),
  'fields of 2 MiB in all before the file': form(sized(4, 512 * 1024) + file() + END, [413]),
  'fields of 2 MiB in all behind the file': form(file() + sized(4, 512 * 1024) + END, [413]),
  'fields of 1 MiB in all': form(sized(4, 256 * 1024) + file() + END, [200]),
  'a field name of 10,000 characters': form(field('n'.repeat(10_000), 'x') + file() + END, [400]),
  'a part without a disposition': form(`--b\r\nContent-Type: image/gif\r\n\r\n${PIXEL}\r\n${END}`, [400]),
  'a file without a name of its field': form(part('form-data; filename="a.gif"', PIXEL) + END, [400]),
  'a field without a name': form(part('form-data', 'x') + file() + END, [400]),
  'another disposition': form(part('attachment; name="file"; filename="a.gif"', PIXEL) + END, [400]),
  'two files': form(file() + file() + END, [400]),
  'the file in another field': form(part('form-data; name="other"; filename="a.gif"', PIXEL) + END, [400]),
  'a part header of 100,000 characters': form(
    part('form-data; name="file"; filename="a.gif"', PIXEL, `X-Long: ${'x'.repeat(100_000)}\r\n`) + END,
    [200, 400],
  ),
  '500 part headers': form(
    part('form-data; name="file"; filename="a.gif"', PIXEL, 'X-Many: x\r\n'.repeat(500)) + END,
    [200, 400],
  ),
  'a part header without a colon': form(
    part('form-data; name="desc"', 'x', 'nonsense\r\n') + file() + END,
    [400],
  ),
  'a list with one item at the end of all': form(field('key[4294967294]', 'x') + file() + END, [400]),
  'lists within lists': form(field(`a${'[0]'.repeat(30)}`, 'x') + file() + END, [400]),
  'names that reach into objects': form(
    field('__proto__[polluted]', 'x') + field('constructor[prototype][polluted]', 'x') + file() + END,
    [200, 400],
  ),
  'a name that is text first and a list later': form(
    field('desc', 'x') + field('desc[a][b]', 'y') + field('desc[]', 'z') + file() + END,
    [200, 400],
  ),
  'quotes that are never closed': form(part('form-data; name="file; filename="a.gif', PIXEL) + END, [400]),
  'a file named /': form(file('filename="/"') + END, [400]),
  'a file named ..': form(file('filename=".."') + END, [400]),
  'a file with NUL in its name': form(file('filename="a\x00b.gif"') + END, [400]),
  'a file name in no charset': form(file('filename="a.gif"; filename*=x-none\'\'%ff%ff.gif') + END, [200]),
  'base64 said of the content': form(
    part('form-data; name="file"; filename="a.gif"', 'R0lGODlh', 'Content-Transfer-Encoding: base64\r\n') +
      END,
    [200, 400],
  ),
  'a charset that nobody knows': form(
    part('form-data; name="desc"', 'x', 'Content-Type: text/plain; charset=x-none\r\n') + file() + END,
    [200, 400],
  ),
};

/** Names that a file may have, and its name afterwards. */
export const names: readonly (readonly [parameters: string, kept: string])[] = [
  ['filename="../../etc/passwd.gif"', 'passwd.gif'],
  ['filename="..\\\\..\\\\evil.gif"', 'evil.gif'],
  ['filename="C:\\\\evil.gif"', 'evil.gif'],
  ['filename="a%0d%0aSet-Cookie: x=y.gif"', 'aSet-Cookie: x=y.gif'],
  ['filename="a%22; filename=%22b.gif"', 'a"; filename="b.gif'],
  ['filename="\xe2\x80\xaefig.exe.gif"', 'fig.exe.gif'],
  ["filename*=UTF-8''%e2%82%ac.gif", '€.gif'],
  ["filename*=UTF-8''..%2f..%2fevil.gif", 'evil.gif'],
  ['filename="plain.gif"; filename*=UTF-8\'\'star.gif', 'star.gif'],
  [`filename="${'n'.repeat(2_000)}.gif"`, `${'n'.repeat(251)}.gif`],
  ['filename="<script>.gif"', '<script>.gif'],
];
