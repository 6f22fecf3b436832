import { DomainError, fail } from '../../routers/base/errors.js';
import { givenName } from './plain-form.js';
import { textIn } from './text.js';

/** An uploaded text file, in UTF-8 or, with a byte order mark, UTF-16; 400 if it is not text. */
export function textOf(file: { buffer: Buffer; originalname: string } | undefined) {
  if (file === undefined) return null;
  try {
    return { content: textIn(file.buffer, null).replace(/^\ufeff/, ''), name: givenName(file.originalname) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return fail('INVALID', { message: 'The file is not text in UTF-8 or UTF-16', cause: error });
  }
}
