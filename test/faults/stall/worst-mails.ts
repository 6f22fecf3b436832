/** Mails that cost their reader as much as their sender can make them. */

const MIB = 1024 * 1024;

/** A mail that costs much, as its headers and its body. */
export interface WorstMail {
  readonly name: string;
  readonly raw: () => string;
}

const html = (body: () => string): (() => string) => {
  return () => `Content-Type: text/html\r\n\r\n${body()}`;
};
const mixed = (part: string, count: number): (() => string) => {
  return () =>
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${part}\r\n`.repeat(count)}--b--\r\n`;
};
const inCharset = (name: string, text: string, bytes: number): (() => string) => {
  return () => `Content-Type: text/plain; charset=${name}\r\n\r\n${text.repeat(bytes / text.length)}`;
};

const CLASSES = Array.from({ length: 49 }, (_, index) => `c${index}`);

function styled(): string {
  const selector = CLASSES.map((name) => `.${name}`).join('');
  const rules = Array.from({ length: 120 }, (_, index) => `${selector.repeat(10)}.z${index}{color:red}`);
  const elements = `<p class="${CLASSES.join(' ')}">x</p>`.repeat(5_000);
  return `<style>${rules.join('')}</style>${elements}`;
}

const nested = (): string =>
  Array.from(
    { length: 1_900 },
    (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
  ).join('');

/** The headers of each come before what is here, which begins with further ones. */
export const WORST_MAILS: readonly WorstMail[] = [
  { name: 'a style sheet of many classes', raw: html(styled) },
  { name: '24 MB of paragraphs', raw: html(() => '<p> '.repeat(6 * MIB)) },
  { name: 'empty blocks', raw: html(() => `x${'<section> </section>'.repeat(9_000)}`) },
  { name: '19,000 attachments', raw: mixed('Content-Type: image/png\r\n\r\nx', 19_000) },
  { name: '19,000 attachments of their own', raw: () => mixedOfTheirOwn() },
  { name: '15 MB in ISO-2022-JP', raw: inCharset('iso-2022-jp', '\x1b$B$3$s\x1b(B\r\n', 15 * MIB) },
  { name: '18 MB in UTF-7', raw: inCharset('utf-7', '+AGEA-', 18 * MIB) },
  { name: '16 MB of line ends', raw: () => `\r\n${'\n'.repeat(16 * MIB)}` },
  { name: '20 MB of text', raw: () => `\r\n${'"words\t\\" \r\n'.repeat((20 * MIB) / 12)}` },
  {
    name: '20 MB of base64 in short lines',
    raw: () => `Content-Transfer-Encoding: base64\r\n\r\n${'Q\r\n'.repeat(7 * MIB)}`,
  },
  { name: '1,900 parts inside of each other', raw: () => `${nested()}\r\n${'--x\r\n'.repeat(MIB)}` },
  { name: '49,000 headers', raw: () => `${'X-A: x\r\n'.repeat(49_000)}\r\nx` },
  { name: 'signatures of 20 MB', raw: () => `${signatures()}\r\n${'x y  z\r\n'.repeat((20 * MIB) / 8)}` },
];

const mixedOfTheirOwn = (): string => {
  const parts = Array.from(
    { length: 19_000 },
    (_, index) => `--b\r\nContent-Type: image/png\r\n\r\n${index}\r\n`,
  );
  return `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`;
};

const signatures = (): string =>
  Array.from(
    { length: 20 },
    (_, index) =>
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; l=${20 * MIB - index}; d=x.example; s=s; h=from; bh=x; b=x\r\n`,
  ).join('');
