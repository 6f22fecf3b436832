import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { EnclosedFile, UnlistedFile } from '../../../../routers/base/ports/mail/mail.js';
import { cutText } from '../../../../routers/base/text/cut.js';
import { inPieces } from '../../../../routers/base/text/pieces.js';
import { wordsOfHtml } from './html-words.js';
import { beginningOf, type Leaf, takeApart } from './mime.js';
import { textOfBytes } from './words.js';

/** An attachment as a message has it: "" is no name. */
interface MimeAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId: string;
  readonly disposition: string;
  readonly bytes: Buffer;
}

/** What a whole message says (RFC 5322, MIME). */
export interface MimeMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly MimeAttachment[];
  /** Texts that are files, too, and attachments beyond those that a mail may have. */
  readonly unlisted: readonly UnlistedFile[];
  /** Something is in none of these. */
  readonly truncated: boolean;
}

/** Of all texts, and of all HTML, in UTF-16 units. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;
const MAX_ATTACHMENTS = 200;
/** A longer text keeps its lines as they were sent. */
const MAX_FLOWED_LENGTH = 1024 * 1024;

/** Texts that tell people and programs what happened to a mail. */
const REPORTS = new Set(['message/delivery-status', 'message/disposition-notification']);

/**
 * Reads a whole message. Texts stand in their order; of several forms of the same text, each counts as its kind.
 * Everything that is no text is an attachment, as are texts with a name whose SHA-256 is among `withheld`. Whatever the
 * bytes are, this returns what can be read of them.
 */
export async function readMessage(
  message: Buffer,
  withheld: ReadonlySet<string> = new Set(),
): Promise<MimeMessage> {
  const { headers, leaves, cut } = await takeApart(message);
  const shown: { readonly html: boolean; readonly text: string; readonly alternative: boolean }[] = [];
  const attachments: MimeAttachment[] = [];
  const unlisted: UnlistedFile[] = [];
  let truncated = cut;
  for (const leaf of leaves) {
    const bytes = await decoded(leaf);
    const isNamed = leaf.node.filename !== false;
    const isWithheld = isNamed && withheld.size > 0 && withheld.has(sha256(bytes));
    const kind = isWithheld ? 'attachment' : kindOf(leaf, shown.length === 0);
    if (kind === 'attachment' && attachments.length >= MAX_ATTACHMENTS) {
      truncated = true;
      unlisted.push(fileOf(leaf, bytes, false));
      continue;
    }
    if (kind !== 'attachment' && isNamed) unlisted.push(fileOf(leaf, bytes, true));
    if (kind === 'attachment') attachments.push(attachmentOf(leaf, bytes));
    else shown.push({ html: kind === 'html', text: textOf(leaf, bytes), alternative: leaf.alternative });
  }
  const hasText = shown.some(({ html }) => !html);
  const hasHtml = shown.some(({ html }) => html);
  const text = bounded(
    shown
      .filter(({ html, alternative }) => !html || (hasText && !alternative))
      .map((part) => (part.html ? wordsOfHtml(part.text, MAX_TEXT_LENGTH).text : part.text))
      .join('\n'),
  );
  const html = bounded(
    shown
      .filter((part) => part.html || (hasHtml && !part.alternative))
      .map((part) => (part.html ? part.text : paragraphs(part.text)))
      .join('<br>\n'),
  );
  truncated ||= text.cut || html.cut;
  return { headers, text: text.text, html: hasHtml ? html.text : '', attachments, unlisted, truncated };
}

/** The headers of a message, and the beginning of its body as it came; the rest is in its original only. */
export const readPlainly = async (message: Buffer): Promise<MimeMessage> => ({
  ...(await readMessage(beginningOf(message))),
  truncated: true,
});

/** Everything in a message that is a file, even if it is shown as a text. */
export async function filesIn(
  message: Buffer,
): Promise<{ readonly files: readonly EnclosedFile[]; readonly cut: boolean }> {
  const { leaves, cut } = await takeApart(message);
  const files: EnclosedFile[] = [];
  for (const leaf of leaves)
    if (leaf.node.filename !== false || kindOf(leaf, true) === 'attachment')
      files.push(fileOf(leaf, await decoded(leaf), false));
  return { files, cut };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const fileOf = ({ node }: Leaf, bytes: Buffer, shown: boolean): UnlistedFile => ({
  contentType: (node.contentType || '').toLowerCase(),
  bytes,
  shown,
});

/** What a part is to its reader. */
function kindOf({ node }: Leaf, first: boolean): 'text' | 'html' | 'attachment' {
  const { contentType, disposition, filename } = node;
  if (disposition !== false && disposition !== 'inline') return 'attachment';
  if (contentType !== false && REPORTS.has(contentType)) return 'text';
  // A text with a name behind another is a file, which some programs show below the mail.
  if (filename !== false && !first) return 'attachment';
  if (contentType === false || contentType === 'text/plain' || contentType === 'text') return 'text';
  return contentType === 'text/html' ? 'html' : 'attachment';
}

/**
 * The bytes of a part without its transfer encoding. Lines of texts end with CRLF on the wire; a store or a program on
 * the way may have made them LF.
 */
async function decoded({ node, body }: Leaf): Promise<Buffer> {
  const isEncoded = node.encoding === 'base64' || node.encoding === 'quoted-printable';
  if (!isEncoded) return isTextual(node.contentType) && node.encoding !== 'binary' ? withCrlf(body) : body;
  const decoder = node.getDecoder();
  decoder.end(node.encoding === 'base64' ? body : withCrlf(body));
  return buffer(decoder);
}

const isTextual = (type: string | false): boolean => type === false || /^(?:text|message)\//.test(type);

const [LF, CR] = [0x0a, 0x0d];

/** With CRLF wherever a line ends. Byte by byte: a text may have millions of lines. */
function withCrlf(body: Buffer): Buffer {
  let bare = 0;
  for (let at = body.indexOf(LF); at >= 0; at = body.indexOf(LF, at + 1)) if (body[at - 1] !== CR) bare += 1;
  if (bare === 0) return body;
  const whole = Buffer.alloc(body.length + bare);
  let written = 0;
  let from = 0;
  for (let at = body.indexOf(LF); at >= 0; at = body.indexOf(LF, at + 1)) {
    if (body[at - 1] === CR) continue;
    written += body.copy(whole, written, from, at);
    whole[written] = CR;
    written += 1;
    from = at;
  }
  body.copy(whole, written, from);
  return whole;
}

function textOf({ node }: Leaf, bytes: Buffer): string {
  const isHtml = node.contentType === 'text/html';
  const charset = node.charset || (isHtml ? charsetInHtml(bytes) : null);
  const text = inPieces(textOfBytes(bytes, charset), (piece) => piece.replace(/\r\n?/g, '\n'));
  return node.flowed && text.length <= MAX_FLOWED_LENGTH ? unfolded(text, node.delSp) : text;
}

const charsetInHtml = (bytes: Buffer): string | null =>
  /<meta[^>]{0,200}charset=["']?([\w-]{1,40})/i.exec(bytes.toString('latin1', 0, 2048))?.[1] ?? null;

/** Joins the lines of `format=flowed` (RFC 3676). */
function unfolded(text: string, spaceless: boolean): string {
  const pieces: string[] = [];
  let open = false;
  for (const line of text.split('\n')) {
    const plain = line.startsWith(' ') ? line.slice(1) : line;
    if (pieces.length > 0 && !open) pieces.push('\n');
    open = plain.endsWith(' ') && plain !== '-- ' && !plain.startsWith('>');
    pieces.push(open && spaceless ? plain.slice(0, -1) : plain);
  }
  return pieces.join('');
}

function attachmentOf({ node }: Leaf, bytes: Buffer): MimeAttachment {
  const id = node.headers === false ? '' : node.headers.getFirst('content-id');
  return {
    filename: node.filename || '',
    contentType: node.contentType || '',
    contentId: id,
    disposition: node.disposition || '',
    bytes,
  };
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const paragraphs = (text: string): string =>
  `<p>${inPieces(text.trim(), (piece) =>
    piece.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? sign).replaceAll('\n', '<br>\n'),
  )}</p>`;

const bounded = (text: string): { readonly text: string; readonly cut: boolean } => ({
  text: cutText(text, MAX_TEXT_LENGTH),
  cut: text.length > MAX_TEXT_LENGTH,
});
