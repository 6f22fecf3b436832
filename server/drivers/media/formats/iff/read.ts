import type { ByteSource } from '../../source.js';
import { type Details, displayed } from '../format.js';

const MAX_CHUNKS = 1000;
/** Encodings in which every second has the same number of bytes: whole numbers, fractions, and either of them. */
const EVEN = [1, 3, 0xfffe];

interface Chunk {
  readonly name: string;
  readonly dataAt: number;
  readonly size: number;
}

/** The chunks between two offsets. One that is truncated is the last. */
async function* chunks(source: ByteSource, start: number, end: number): AsyncGenerator<Chunk> {
  let at = start;
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= end; count++) {
    const head = await source.read(at, 8);
    if (head.length < 8) return;
    const size = head.readUInt32LE(4);
    yield { name: head.toString('latin1', 0, 4), dataAt: at + 8, size };
    at += 8 + size + (size & 1);
  }
}

/** Duration of a wave file, also of one above 4 GB and of one whose size was not known when it was written. */
export async function readWave(source: ByteSource): Promise<Details> {
  let format: Buffer = Buffer.alloc(16);
  let longSize: number | null = null;
  let samples = 0;
  for await (const { name, dataAt, size } of chunks(source, 12, source.size)) {
    if (name === 'fmt ') format = await source.read(dataAt, 16);
    if (name === 'fact' && !EVEN.includes(format.readUInt16LE(0)))
      samples = (await source.read(dataAt, 4)).readUInt32LE(0);
    if (name === 'ds64') longSize = Number((await source.read(dataAt, 16)).readBigUInt64LE(8));
    if (name !== 'data') continue;
    const claimed = size === 0xffffffff && longSize !== null ? longSize : size;
    const bytes = Math.min(claimed, source.size - dataAt);
    const [sampleRate, byteRate] = [format.readUInt32LE(4), format.readUInt32LE(8)];
    const seconds = samples > 0 && samples < 0xffffffff ? samples / sampleRate : bytes / byteRate;
    return seconds > 0 ? { durationMs: Math.round(seconds * 1000) } : {};
  }
  return {};
}

/** Dimensions and duration of an AVI, from the list of headers that must come first. */
export async function readAvi(source: ByteSource): Promise<Details> {
  const list = await source.read(12, 12);
  if (list.toString('latin1', 0, 4) !== 'LIST' || list.toString('latin1', 8, 12) !== 'hdrl') return {};
  let size: Details = {};
  for await (const chunk of chunks(source, 24, Math.min(source.size, 20 + list.readUInt32LE(4)))) {
    if (chunk.name === 'avih') {
      const header = await source.read(chunk.dataAt, 40);
      size = displayed(header.readUInt32LE(32), header.readUInt32LE(36), 1);
    }
    if (chunk.name !== 'LIST') continue;
    const stream = await source.read(chunk.dataAt, 48);
    if (stream.toString('latin1', 0, 8) !== 'strlstrh' || stream.toString('latin1', 12, 16) !== 'vids')
      continue;
    const [scale, rate, length] = [stream.readUInt32LE(32), stream.readUInt32LE(36), stream.readUInt32LE(44)];
    return scale === 0 || rate === 0 || length === 0
      ? size
      : { ...size, durationMs: Math.round(((length * scale) / rate) * 1000) };
  }
  return size;
}
