import { fail } from '../routers/errors.js';

/** Encodings detected by a byte order mark; the default is UTF-8. Windows shells write UTF-16. */
const BYTE_ORDER_MARKS = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
] as const;

const encodingOf = (bytes: Buffer): string =>
  BYTE_ORDER_MARKS.find(([, mark]) => bytes.subarray(0, mark.length).equals(mark))?.[0] ?? 'utf-8';

/** An uploaded text file, in UTF-8 or, with a byte order mark, UTF-16; 400 if it is not text. */
export function textOf(file: { buffer: Buffer; originalname: string } | undefined) {
  if (file === undefined) return null;
  try {
    const content = new TextDecoder(encodingOf(file.buffer), { fatal: true }).decode(file.buffer);
    return { content, name: file.originalname === '' ? null : file.originalname };
  } catch (error) {
    return fail('INVALID', { message: 'The file is not text in UTF-8 or UTF-16', cause: error });
  }
}
