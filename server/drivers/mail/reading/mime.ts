import mailsplit, { type MimeNode } from '@zone-eu/mailsplit';
import { textOfHeader } from './words.js';

/** A part of a message that holds no others. */
export interface Leaf {
  readonly node: MimeNode;
  /** As sent, in its transfer encoding. */
  readonly body: Buffer;
  /** Whether it is one of several forms of the same. */
  readonly alternative: boolean;
}

interface Parts {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly leaves: readonly Leaf[];
  /** What came was more than is read: the rest is in none of the leaves. */
  readonly cut: boolean;
}

const MIB = 1024 * 1024;
const MAX_PARTS = 20_000;
const MAX_DEPTH = 2_000;
/** Of the message; for the library, which counts a line as at least 64 bytes, there is room for as many lines. */
const MAX_HEAD_BYTES = 2 * MIB;
const MAX_HEAD_LINES = 50_000;
const MAX_PART_HEAD_BYTES = 8 * MIB;
/** A message that is made to be slow to read. */
const MAX_MS = 20_000;
/** What stands outside of all parts is read only if there are none. */
const MAX_OUTSIDE = MIB;

/**
 * Takes a message apart, without copying its bytes. Whatever it is there is a result: what was read before a limit of
 * parts, depth, headers or time.
 */
export async function takeApart(message: Buffer): Promise<Parts> {
  const { bytes, cut: headCut } = withBoundedHead(message);
  const splitter = new mailsplit.Splitter({
    ignoreEmbedded: true,
    maxHeadSize: MAX_PART_HEAD_BYTES,
    maxChildNodes: MAX_PARTS,
  });
  const gathered = new Gathered();
  const late = setTimeout(() => splitter.destroy(new Error('too slow')), MAX_MS);
  try {
    splitter.end(bytes);
    for await (const chunk of splitter as AsyncIterable<Chunk>) {
      if (chunk.type === 'node') gathered.open(chunk);
      else if (chunk.type === 'body') gathered.add(chunk.value);
      else gathered.addOutside(chunk.node, chunk.value);
    }
    return { ...gathered.close(), cut: headCut };
  } catch {
    return { ...gathered.close(), cut: true };
  } finally {
    clearTimeout(late);
  }
}

type Chunk = MimeNode | { readonly type: 'body' | 'data'; readonly node: MimeNode; readonly value: Buffer };

/** The leaves read so far. */
class Gathered {
  readonly #leaves: Leaf[] = [];
  readonly #depths = new WeakMap<MimeNode, number>();
  #root: MimeNode | null = null;
  #open: { readonly node: MimeNode; readonly chunks: Buffer[] } | null = null;
  #outside: Buffer[] = [];
  #outsideBytes = 0;

  open(node: MimeNode): void {
    this.#end();
    this.#root ??= node;
    const depth = node.parentNode === false ? 0 : (this.#depths.get(node.parentNode) ?? 0) + 1;
    if (depth > MAX_DEPTH) throw new Error('too deep');
    this.#depths.set(node, depth);
    if (node.multipart === false) this.#open = { node, chunks: [] };
  }

  add(bytes: Buffer): void {
    this.#open?.chunks.push(bytes);
  }

  addOutside(node: MimeNode, bytes: Buffer): void {
    if (node.multipart === false || this.#outsideBytes > MAX_OUTSIDE) return;
    this.#outsideBytes += bytes.length;
    this.#outside.push(bytes);
  }

  close(): Omit<Parts, 'cut'> {
    this.#end();
    const root = this.#root;
    // A multipart message whose boundary is missing or wrong is a text.
    if (root !== null && this.#leaves.length === 0 && this.#outsideBytes > 0) {
      const node = new mailsplit.MimeNode(false, {}) as MimeNode;
      node.addHeaderChunk(Buffer.from('Content-Type: text/plain\r\n\r\n'));
      node.parseHeaders();
      this.#leaves.push({ node, body: Buffer.concat(this.#outside), alternative: false });
    }
    return { headers: root === null ? [] : headersOf(root), leaves: this.#leaves };
  }

  #end(): void {
    if (this.#open === null) return;
    const { node, chunks } = this.#open;
    this.#open = null;
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    this.#leaves.push({ node, body, alternative: isAlternative(node) });
  }
}

function isAlternative(node: MimeNode): boolean {
  let above = node.parentNode;
  for (let steps = 0; above !== false && steps < MAX_DEPTH; steps += 1) {
    if (above.multipart === 'alternative') return true;
    above = above.parentNode;
  }
  return false;
}

/** The headers of a part in their order, unfolded; encoded words stay. */
function headersOf(node: MimeNode): (readonly [string, string])[] {
  const lines = node.headers === false ? [] : (node.headers.getList() ?? []);
  return lines.map(({ line }) => {
    const whole = textOfHeader(Buffer.from(line, 'latin1'));
    const colon = whole.indexOf(':');
    const name = colon < 0 ? whole : whole.slice(0, colon);
    const value = colon < 0 ? '' : whole.slice(colon + 1);
    return [name.trim(), value.replace(/\r?\n/g, '').trim()] as const;
  });
}

/**
 * The message from its headers on. Headers that are too long are cut at the end of a line; one that begins with none
 * is all text.
 */
function withBoundedHead(message: Buffer): { readonly bytes: Buffer; readonly cut: boolean } {
  if (!looksLikeHead(message)) return { bytes: Buffer.concat([LINE_END, message]), cut: false };
  const whole = message.subarray(startOfHead(message));
  const { limit, end } = headOf(whole);
  if (limit === end) return { bytes: whole, cut: false };
  return { bytes: Buffer.concat([whole.subarray(0, limit), LINE_END, whole.subarray(end)]), cut: true };
}

const LINE_END = Buffer.from('\r\n');
const [LF, CR] = [0x0a, 0x0d];

/** Mailbox files and some programs write a line in front, `From ada@example.org Mon Jan 1 …`. */
function startOfHead(message: Buffer): number {
  let at = 0;
  while (message[at] === LF || message[at] === CR) at += 1;
  if (!/^>?From /.test(message.toString('latin1', at, at + 6))) return at;
  const end = message.indexOf(LF, at);
  return end < 0 ? message.length : end + 1;
}

/** For `beginningOf`, of headers and body. */
const BEGINNING_BYTES = 256 * 1024;
/** Headers that would say that the body is something else than a text. */
const FORM = /^content-(?:type|transfer-encoding)[ \t]*:/gim;

/** A message of the first headers and the beginning of the body, which is a text whatever it was. */
export function beginningOf(message: Buffer): Buffer {
  const whole = message.subarray(startOfHead(message));
  const { limit, end } = headOf(whole, BEGINNING_BYTES);
  const body = whole.subarray(end, end + BEGINNING_BYTES);
  const head = whole.toString('latin1', 0, limit).replace(FORM, (name) => `X-${name}`);
  return Buffer.concat([Buffer.from(head, 'latin1'), ...(limit < end ? [LINE_END] : []), body]);
}

/** Whether a message begins with a header, as every message does. */
export function looksLikeHead(message: Buffer): boolean {
  const start = startOfHead(message);
  return /^[!-9;-~]{1,200}[ \t]*:/.test(message.toString('latin1', start, start + 256));
}

/** Where the headers end, and where they have to be cut: both are the same unless they are too long. */
function headOf(
  message: Buffer,
  maxBytes = MAX_HEAD_BYTES,
): { readonly limit: number; readonly end: number } {
  let limit = 0;
  let lines = 0;
  for (let at = 0; ; ) {
    const found = message.indexOf(LF, at);
    const next = found < 0 ? message.length : found + 1;
    const length = next - at;
    lines += 1;
    if (next <= maxBytes && lines <= MAX_HEAD_LINES) limit = next;
    const isEmpty = message[at] === LF || (length === 2 && message[at] === CR);
    if (found < 0 || isEmpty) return { limit, end: next };
    at = next;
  }
}
