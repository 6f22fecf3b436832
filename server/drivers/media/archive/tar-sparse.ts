import type { ByteReader } from './byte-reader.js';
import type { ArchiveGuard } from './guard.js';
import { BLOCK, numberAt, type PaxRecords, type TarHeader } from './tar-header.js';

/** A piece of a sparse file that is stored; everything between the pieces is zeros. */
interface Piece {
  readonly offset: number;
  readonly length: number;
}

/** A file with holes: its real size, its pieces, and how many bytes of it follow in the archive. */
interface SparseFile {
  readonly name: string | null;
  readonly size: number;
  readonly pieces: readonly Piece[];
  readonly stored: number;
}

const MAX_PIECES = 100_000;
const ZEROS = Buffer.alloc(64 * 1024);

/** How a file with holes is stored, in any of the forms that GNU tar and bsdtar write; null for a plain file. */
export async function readSparse(
  reader: ByteReader,
  header: TarHeader,
  pax: PaxRecords,
  stored: number,
): Promise<SparseFile | null> {
  if (header.type === 'S') return checked(await oldForm(reader, header, stored));
  if (pax.get('GNU.sparse.major') === '1') return checked(await newForm(reader, pax, stored));
  const size = pax.get('GNU.sparse.size');
  if (size === undefined) return null;
  const map = pax.get('GNU.sparse.map');
  const numbers = map === undefined ? interleaved(pax) : numbersOf(map);
  return checked({
    name: pax.get('GNU.sparse.name') ?? null,
    size: Number(size),
    pieces: piecesOf(numbers),
    stored,
  });
}

const numbersOf = (list: string): number[] => (list === '' ? [] : list.split(',').map(Number));

function interleaved(pax: PaxRecords): number[] {
  const lengths = numbersOf(pax.get('GNU.sparse.numbytes') ?? '');
  return numbersOf(pax.get('GNU.sparse.offset') ?? '').flatMap((offset, index) => [
    offset,
    lengths[index] ?? Number.NaN,
  ]);
}

const piecesOf = (numbers: readonly number[]): Piece[] =>
  Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => ({
    offset: numbers[2 * index] ?? 0,
    length: numbers[2 * index + 1] ?? 0,
  }));

/** GNU's own form: four pieces in the header, and more in blocks behind it that its size does not count. */
async function oldForm(reader: ByteReader, { block }: TarHeader, stored: number): Promise<SparseFile> {
  const pieces: Piece[] = [];
  const add = (from: Buffer, at: number, count: number) => {
    for (let index = 0; index < count; index += 1) {
      const start = at + index * 24;
      const length = numberAt(from, start + 12, 12);
      if (length > 0) pieces.push({ offset: numberAt(from, start, 12), length });
    }
  };
  add(block, 386, 4);
  let goesOn = block[482] !== 0;
  while (goesOn) {
    const more = await reader.take(BLOCK);
    if (more === null || pieces.length > MAX_PIECES) throw new Error('damaged map');
    add(more, 0, 21);
    goesOn = more[504] !== 0;
  }
  return { name: null, size: numberAt(block, 483, 12), pieces, stored };
}

/** The form 1.0 of pax: the content begins with the map, in decimal lines that fill whole blocks. */
async function newForm(reader: ByteReader, pax: PaxRecords, stored: number): Promise<SparseFile> {
  let text = '';
  let wanted = 1;
  let left = stored;
  let numbers: number[] = [];
  while (numbers.length < wanted) {
    const block = left >= BLOCK ? await reader.take(BLOCK) : null;
    if (block === null || numbers.length > 2 * MAX_PIECES) throw new Error('damaged map');
    left -= BLOCK;
    text += block.toString('latin1');
    const lines = text.split('\n').slice(0, -1);
    numbers = lines.map(Number);
    wanted = 1 + 2 * (numbers[0] ?? 0);
  }
  return {
    name: pax.get('GNU.sparse.name') ?? null,
    size: Number(pax.get('GNU.sparse.realsize')),
    pieces: piecesOf(numbers.slice(1, wanted)).filter(({ length }) => length > 0),
    stored: left,
  };
}

/** Refuses a map that is not in order, or that does not cover exactly what is stored. */
function checked(file: SparseFile): SparseFile {
  let end = 0;
  let sum = 0;
  for (const { offset, length } of file.pieces) {
    if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || length < 0 || offset < end)
      throw new Error('damaged map');
    end = offset + length;
    sum += length;
  }
  if (
    !Number.isSafeInteger(file.size) ||
    end > file.size ||
    sum !== file.stored ||
    file.pieces.length > MAX_PIECES
  )
    throw new Error('damaged map');
  return file;
}

/** The bytes of a file with holes; the zeros count as unpacked. */
export async function* expand(
  reader: ByteReader,
  { size, pieces }: SparseFile,
  guard: ArchiveGuard,
): AsyncGenerator<Buffer> {
  let at = 0;
  const zerosUpTo = function* (end: number): Generator<Buffer> {
    for (; at < end; at += Math.min(ZEROS.length, end - at)) {
      const hole = ZEROS.subarray(0, end - at);
      guard.count(hole.length);
      yield hole;
    }
  };
  for (const { offset, length } of pieces) {
    yield* zerosUpTo(offset);
    yield* reader.stream(length);
    at += length;
  }
  yield* zerosUpTo(size);
}
