import { createHash } from 'node:crypto';
import { zip } from './archive-fixtures.js';

const ENTITY: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&<>]/g, (found) => ENTITY[found] ?? found);

const packed = (files: Readonly<Record<string, string>>): Buffer =>
  zip(
    Object.entries(files).map(([name, text]) => ({
      name,
      data: Buffer.from(text),
      stored: name === 'mimetype',
    })),
  );

const office = (type: string, files: Readonly<Record<string, string>>): Buffer =>
  packed({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/x" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    ...files,
  });

/** A text document of Word; `text` stands in two runs, as programs write a word that was changed. */
export const docx = (text: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  office('wordprocessingml.document', {
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body><w:p><w:r><w:t>${escaped(text.slice(0, 3))}</w:t></w:r><w:r><w:t xml:space="preserve">${escaped(text.slice(3))}</w:t></w:r><w:r><w:instrText>HYPERLINK</w:instrText></w:r></w:p></w:body></w:document>`,
    ...more,
  });

/** A spreadsheet with a shared text and a number. */
export const xlsx = (text: string): Buffer =>
  office('spreadsheetml.sheet', {
    'xl/workbook.xml': '<workbook/>',
    'xl/sharedStrings.xml': `<sst><si><t>${escaped(text)}</t></si></sst>`,
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row><c t="s"><v>777001</v></c><c><v>4711.5</v></c></row></sheetData></worksheet>',
  });

/** A presentation of one slide. */
export const pptx = (text: string): Buffer =>
  office('presentationml.presentation', {
    'ppt/presentation.xml': '<p/>',
    'ppt/slides/slide1.xml': `<p:sld xmlns:a="a"><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></p:sld>`,
  });

/** A text of LibreOffice. */
export const odt = (text: string): Buffer =>
  packed({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:automatic-styles>hidden</office:automatic-styles><office:body><text:p>${escaped(text)}<text:tab/>after</text:p></office:body></office:document-content>`,
  });

/** A book of one chapter. */
export const epub = (text: string): Buffer =>
  packed({
    mimetype: 'application/epub+zip',
    'OEBPS/one.xhtml': `<html><head><title/><style>hidden</style></head><body><h1>Chapter</h1><p>${escaped(text)}</p><script>hidden()</script></body></html>`,
  });

/** A PDF with a text on each page; `more` are objects that stand beside. */
export function pdf(
  pages: readonly string[],
  { trailer = '', open = '', more = [] as string[] } = {},
): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${open} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((text, index) => {
      const content = `BT /F1 12 Tf 72 700 Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    ...more,
  ];
  const starts: number[] = [];
  let file = '%PDF-1.7\n';
  for (const [index, body] of objects.entries()) {
    starts.push(file.length);
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
  }
  const table = starts.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`, 'latin1');
}

/** A PDF that opens with a password only (RC4 of 40 bits). */
export function encryptedPdf(text: string): Buffer {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();
  const id = Buffer.alloc(16, 7);
  const owner = md5(Buffer.from('owner'));
  const hash = Buffer.concat([owner, owner]);
  const user = md5(Buffer.concat([Buffer.from('secret'), padding, hash, id]));
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return pdf([text], {
    trailer: `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(hash)} /U ${hex(Buffer.concat([user, user]))} /P -4 >> /ID [${hex(id)} ${hex(id)}]`,
  });
}
