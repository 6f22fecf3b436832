import type { ByteSource } from './source.js';

/** One box of an ISO media file (MP4, QuickTime, HEIF). */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** Offset of the first byte after the box header. */
  readonly dataAt: number;
  readonly end: number;
}

const MAX_BOXES = 10_000;

/** The boxes between two offsets, in order. Stops at an invalid header or where the file is truncated. */
export async function* boxes(source: ByteSource, start: number, end: number): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; count < MAX_BOXES && at + 8 <= end; count++) {
    const head = await source.read(at, 16);
    if (head.length < 8) return;
    let size = head.readUInt32BE(0);
    let headerSize = 8;
    if (size === 1) {
      if (head.length < 16) return;
      size = Number(head.readBigUInt64BE(8));
      headerSize = 16;
    } else if (size === 0) {
      size = end - at;
    }
    if (size < headerSize) return;
    const box = {
      type: head.toString('latin1', 4, 8),
      start: at,
      dataAt: at + headerSize,
      end: at + size,
    };
    if (box.end > end) return;
    yield box;
    at = box.end;
  }
}

/** The direct children of a box, starting `skip` bytes after its header. */
export const childrenOf = (source: ByteSource, box: Box, skip = 0) =>
  boxes(source, box.dataAt + skip, box.end);

/** The first box at a path of types; null if there is none. */
export async function findBox(source: ByteSource, parent: Box, ...path: string[]): Promise<Box | null> {
  const [type, ...rest] = path;
  if (type === undefined) return parent;
  for await (const child of childrenOf(source, parent)) {
    if (child.type === type) return findBox(source, child, ...rest);
  }
  return null;
}

/** The payload of a box, at most `limit` bytes of it. */
export const readBox = (source: ByteSource, box: Box, limit: number) =>
  source.read(box.dataAt, Math.min(limit, box.end - box.dataAt));

/**
 * Number of bytes before the children of a `meta` box: four for version and flags in the ISO form, none in the
 * QuickTime form.
 */
export async function metaSkip(source: ByteSource, meta: Box): Promise<number> {
  const head = await source.read(meta.dataAt, 8);
  return head.length === 8 && head.toString('latin1', 4, 8) === 'hdlr' ? 0 : 4;
}
