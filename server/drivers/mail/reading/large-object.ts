import { type InboundForm, InboundRefused } from '../../../../routers/base/ports/mail/mail.js';
import { decodeAs } from '../../../../routers/base/text/charset.js';
import { bytesOf } from './whole-message.js';

/** A form with the fields of its large object. Throws `InboundRefused` for what is no object in JSON. */
export async function parsedForm(form: InboundForm): Promise<InboundForm> {
  if (form.object === undefined) return form;
  const value = parsed(await bytesOf(form.object));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InboundRefused('malformed', 'The body must be a JSON object');
  return { fields: { ...value }, parts: form.parts };
}

function parsed(bytes: Buffer): unknown {
  const text = decodeAs(bytes, encodingOf(bytes));
  if (text === null)
    throw new InboundRefused(
      'malformed',
      'The text is not UTF-8. Send it as UTF-8, or name its charset in Content-Type',
    );
  try {
    return JSON.parse(text);
  } catch {
    throw new InboundRefused('malformed', 'The body is not valid JSON');
  }
}

/** JSON begins with a byte order mark or two characters of ASCII, so its zeros tell the encoding (RFC 4627). */
function encodingOf([first, second]: Buffer): string {
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le';
  return first === 0 || (first === 0xfe && second === 0xff) ? 'utf-16be' : 'utf-8';
}
