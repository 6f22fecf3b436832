import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** One entry of a hand-made zip; fields besides name and data are written as they are, true or not. */
export interface ZipEntry {
  readonly name: string;
  readonly data: Buffer;
  /** The encoding of the name without a flag for it; by default it is flagged UTF-8. */
  readonly unsaid?: 'utf8' | 'latin1';
  /** Extra fields of the directory. */
  readonly extra?: Buffer;
  readonly stored?: boolean;
  /** The unpacked size that the directory claims. */
  readonly claims?: number;
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  /** Uses the bytes of an earlier entry instead of its own. */
  readonly sharing?: number;
}

/** A zip archive, written byte by byte, so that it can contain false values. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const entry of entries) {
    const body = entry.stored ? entry.data : deflateRawSync(entry.data);
    const name = Buffer.from(entry.name, entry.unsaid);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((entry.flags ?? 0) | (entry.unsaid ? 0 : 0x800), 2);
    common.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);
    common.writeUInt32LE(entry.crc ?? crc32(entry.data), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(entry.claims ?? entry.data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const start = entry.sharing === undefined ? at : (starts[entry.sharing] ?? 0);
    starts.push(start);
    if (entry.sharing === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, body]);
      locals.push(local);
      at += local.length;
    }
    const tail = Buffer.alloc(14);
    const extra = entry.extra ?? Buffer.alloc(0);
    const listed = Buffer.from(common);
    listed.writeUInt16LE(extra.length, 24);
    tail.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6);
    tail.writeUInt32LE(start, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), listed, tail, name, extra);
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, central, end]);
}

/** One entry of a tar archive. */
export interface TarEntry {
  readonly name: string;
  readonly data?: Buffer;
  readonly type?: 'file' | 'directory' | 'symlink' | 'link' | 'fifo' | 'character-device';
  readonly linkname?: string;
}

/** A tar archive. */
export async function tar(entries: readonly TarEntry[]): Promise<Buffer> {
  const stream = pack();
  for (const { name, data = Buffer.alloc(0), type = 'file', linkname } of entries) {
    stream.entry({ name, type, size: data.length, ...(linkname === undefined ? {} : { linkname }) }, data);
  }
  stream.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<unknown> as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A tar archive in gzip. */
export const tarGz = async (entries: readonly TarEntry[]) => gzipSync(await tar(entries));

/** `a.gif` and `sub/b.svg` in a tar.bz2. */
export const tarBz2 = () =>
  Buffer.from(
    'QlpoOTFBWSZTWb1+wfkAAQ5///68gEBxF///++VMiHPn/8BB7oGEHSANBISdAJERkzm5sAFzTLA1SRtANBMAAIGJgAamCaMmhk/VD0hptATEZGRoGmmmEpFMhlNPQIGgaDRkaPUNA0NAAZAADQAAAAAFVUQAmCabRMaJhMTCYjATEwRgAmEZNG0GoeQZNMU8SIGcCwnToxIaPxACU+BvNhg8QRB/K0eNgRNNSAIzJXUopB1BwkigtHs8qxoaaQFgpBAfKBaB/yCtSCmEMhXB7ShLLsoEMmFabUFWQMLbwpEd6gt7gClUQyQZBp11cywn31DaxIMNiFgwByawLBQE1QPqR64yyIiLn0H5hCgRkltrLWLlQILydTMPHRsiQm1RHikI6VCcAcWabghcJ3awp7bV6o3EBXM1IQhFn0AQ8BNSK0gcfUc+RAevYQM7J84ICqsmI38CzXk0CyN4H0TDADEIFhYWBuhDMEw37hunOKBLqmwijlQuiRloqW04tq8bun0cNAJgfYfIMfBeHOTjrIhEIxIKwqkU8j+lwQo5KJpURzKJxJPAoGORiUSCSfslE0lksmlITicRSeQoATygUnmLuSKcKEhev2D8gA==',
    'base64',
  );

/** 879 bytes that unpack to one gibibyte. */
export const bz2Bomb = () =>
  Buffer.from(
    'QlpoOTFBWSZTWS2cUqQFfkR/kMqAAEBAAXVgAaAAQGOgnhAEAAAIIAByGVBoBoA9NTR6nqCKVN6mpo0ZMjTTT0gqeeU6fhQAVVEoIoAqqJM4RjW+y2giAKqiQMNcOMomtuMGUMxHC+meVlnXMnWAWTtNlKCbIjwDv9qACAASSSCPzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZDgni3wFfjkAAwAAACCAAMIBNRkKgJakKgJcxQVkmU1kOCeLfAV+OQADAAAAIIAAwgE1GQqAlqQqAlzFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZxBwB8gCKZMQAwAAEAAAIIAAwzAUppoiiQ2EiiQ8XckU4UJBHeXDhA',
    'base64',
  );
