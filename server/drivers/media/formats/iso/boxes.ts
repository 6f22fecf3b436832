import type { ByteSource } from '../../source.js';

/** One box of an ISO media file (MP4, QuickTime, HEIF, JPEG XL, JPEG 2000). */
export interface Box {
  /** Four characters; `NOT_A_BOX` for the rest of a container that is no valid box. */
  readonly type: string;
  readonly start: number;
  /** Offset of the first byte after the box header. */
  readonly dataAt: number;
  /** Never behind the end of the container, whatever the header says. */
  readonly end: number;
  /** False if the header says that the box is longer than its container. */
  readonly whole: boolean;
}

/** The type of what is left of a container after its last valid box. */
export const NOT_A_BOX = '';

const MAX_BOXES = 10_000;

/**
 * Everything between two offsets, without gaps: boxes in order, one that is longer than the container up to the end of
 * the container, and the rest from the first invalid header on as `NOT_A_BOX`.
 */
export async function* everyBox(source: ByteSource, start: number, end: number): AsyncGenerator<Box> {
  const stop = Math.min(end, source.size);
  for (let at = start; at < stop; ) {
    const head = await source.read(at, Math.min(16, stop - at));
    const wide = head.length === 16 && head.readUInt32BE(0) === 1;
    const headerSize = wide ? 16 : 8;
    const declared = head.length < 8 ? -1 : wide ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
    const size = declared === 0 && !wide ? stop - at : declared;
    const isPadding = declared === 0 && head.readUInt32BE(4) === 0;
    if (size < headerSize || isPadding)
      return yield { type: NOT_A_BOX, start: at, dataAt: at, end: stop, whole: true };
    const type = head.toString('latin1', 4, 8);
    const box = { type, start: at, dataAt: at + headerSize, end: Math.min(at + size, stop) };
    yield { ...box, whole: size <= stop - at };
    at = box.end;
  }
}

/** The valid and complete boxes between two offsets, in order, up to the first that is not; for reading, not cleaning. */
export async function* boxes(source: ByteSource, start: number, end: number): AsyncGenerator<Box> {
  let count = 0;
  for await (const box of everyBox(source, start, end)) {
    if (box.type === NOT_A_BOX || !box.whole || ++count > MAX_BOXES) return;
    yield box;
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
