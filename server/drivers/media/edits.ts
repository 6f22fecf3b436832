import { close, open } from '../storage/disk/fs-calls.js';
import { writeAll } from '../storage/disk/write-all.js';
import type { ByteSource } from './source.js';

/** Bytes from `start` up to, but not including, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces a range of the original: with other bytes (an empty buffer removes it), or with the same number of zeros.
 */
export interface Edit extends Range {
  readonly bytes: Buffer | 'zeros';
}

/** A new file described in terms of the original: ranges in the order they are written, and edits within them. */
export interface Plan {
  readonly order: readonly Range[];
  readonly edits: readonly Edit[];
}

const CHUNK = 1024 * 1024;
const ZEROS = Buffer.alloc(64 * 1024);

/** The edits of a file: bytes go, are replaced, or become zero. */
export const remove = (start: number, end: number): Edit => ({ start, end, bytes: Buffer.alloc(0) });
export const replace = (start: number, end: number, bytes: Buffer): Edit => ({ start, end, bytes });
export const zero = (start: number, end: number): Edit => ({ start, end, bytes: 'zeros' });
/** Overwrites bytes in place; nothing else changes its offset. */
export const overwrite = (start: number, bytes: Buffer): Edit => ({
  start,
  end: start + bytes.length,
  bytes,
});
/** The same edits for a source that begins `by` bytes later. */
export const shift = (edits: readonly Edit[], by: number): Edit[] =>
  edits.map((edit) => ({ ...edit, start: edit.start + by, end: edit.end + by }));

/**
 * The edits in order, none of them twice, so that a hostile file cannot double its size. Of one that overlaps an earlier
 * one, only the part behind it remains if it erases or removes; otherwise it is dropped.
 */
function inOrder(edits: readonly Edit[]): Edit[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const result: Edit[] = [];
  let end = 0;
  for (const edit of sorted) {
    const erases = edit.bytes === 'zeros' || edit.bytes.length === 0;
    if (edit.start >= end) result.push(edit);
    else if (erases && edit.end > end) result.push({ ...edit, start: end });
    else continue;
    end = edit.end;
  }
  return result;
}

async function* copy(source: ByteSource, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const bytes = await source.read(at, Math.min(CHUNK, end - at));
    if (bytes.length === 0) throw new Error('the file became shorter while it was read');
    yield bytes;
    at += bytes.length;
  }
}

function* zeros(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, left);
}

async function* pieces(source: ByteSource, plan: Plan): AsyncGenerator<Buffer> {
  const edits = inOrder(plan.edits);
  for (const range of plan.order) {
    let at = range.start;
    for (const edit of edits) {
      if (edit.start < at || edit.end > range.end) continue;
      yield* copy(source, at, edit.start);
      yield* edit.bytes === 'zeros' ? zeros(edit.end - edit.start) : [edit.bytes];
      at = edit.end;
    }
    yield* copy(source, at, range.end);
  }
}

/** The bytes of a small source with edits applied. */
export async function applied(source: ByteSource, edits: readonly Edit[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces(source, { order: [{ start: 0, end: source.size }], edits }))
    parts.push(piece);
  return Buffer.concat(parts);
}

/** Writes the file that a plan describes to a new `target`, with a few megabytes of memory for any file size. */
export async function writePlan(source: ByteSource, plan: Plan, target: string): Promise<void> {
  const fd = await open(target, 'wx', 0o600);
  try {
    let batch: Buffer[] = [];
    let size = 0;
    const flush = async () => {
      if (batch.length > 0) await writeAll(fd, batch);
      batch = [];
      size = 0;
    };
    for await (const piece of pieces(source, plan)) {
      batch.push(piece);
      size += piece.length;
      if (size >= CHUNK || batch.length === 512) await flush();
    }
    await flush();
  } finally {
    await close(fd);
  }
}
