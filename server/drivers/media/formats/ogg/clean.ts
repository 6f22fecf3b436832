import { MediaUnsupported } from '../../../../../routers/base/ports/media/media.js';
import { type Edit, overwrite, remove } from '../../edits.js';
import type { Removal } from '../../metadata/policy.js';
import type { ByteSource } from '../../source.js';
import { wantedComments, wantedPicture } from '../audio-tags/vorbis-comment.js';
import { type OggPage, oggPages, sealPage } from './pages.js';

/** What precedes the comments in the second packet, by the start of the first one. Vorbis puts a 1 behind them. */
const CODECS: readonly { readonly first: string; readonly prefix: string; readonly framed?: true }[] = [
  { first: '\x01vorbis', prefix: '\x03vorbis', framed: true },
  { first: 'OpusHead', prefix: 'OpusTags' },
  { first: '\x80theora', prefix: '\x81theora' },
  { first: 'OVP80', prefix: 'OVP80\x02 ' },
  { first: 'Speex   ', prefix: '' },
];
const FLAC = '\x7fFLAC';
/** Comments with covers; more than this is no song. */
const MAX_PACKET = 64 * 1024 * 1024;

/**
 * Blanks comments in an Ogg file. Packets keep their sizes, so no page has to move; what follows the comments in
 * their packet is ignored by definition. Bytes that belong to no page are removed.
 */
export async function cleanOgg(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits: Edit[] = [];
  const streams = new Map<number, HeaderReader>();
  let end = 0;
  for await (const page of oggPages(source)) {
    if (page.start > end) edits.push(remove(end, page.start));
    end = page.end;
    if (page.first) {
      const start = (await source.read(page.bodyAt, 8)).toString('latin1');
      streams.set(page.serial, new HeaderReader(source, removal, start));
    }
    const stream = streams.get(page.serial);
    if (stream === undefined) continue;
    await stream.take(page);
    if (!stream.done) continue;
    edits.push(...stream.edits());
    streams.delete(page.serial);
  }
  if (streams.size > 0) throw new MediaUnsupported('the comments of the Ogg file are cut off');
  if (end < source.size) edits.push(remove(end, source.size));
  return edits;
}

interface Part {
  readonly page: OggPage;
  readonly at: number;
  readonly size: number;
}

/** Reads the header packets of one stream, and blanks what is unwanted in the pages they are in. */
class HeaderReader {
  readonly #changed = new Map<OggPage, Buffer>();
  readonly #codec: (typeof CODECS)[number] | undefined;
  readonly #flac: boolean;
  #parts: Part[] = [];
  #packets = 0;
  done = false;

  constructor(
    private readonly source: ByteSource,
    private readonly removal: Removal,
    start: string,
  ) {
    this.#codec = CODECS.find(({ first }) => start.startsWith(first));
    this.#flac = start.startsWith(FLAC);
    this.done = this.#codec === undefined && !this.#flac;
  }

  async take(page: OggPage): Promise<void> {
    let at = page.bodyAt;
    let size = 0;
    for (const part of page.lacing) {
      size += part;
      if (part === 255) continue;
      this.#parts.push({ page, at, size });
      at += size;
      size = 0;
      await this.#packet();
      if (this.done) return;
    }
    if (size > 0) this.#parts.push({ page, at, size });
  }

  edits(): Edit[] {
    return [...this.#changed].map(([page, bytes]) => {
      sealPage(bytes);
      return overwrite(page.start, bytes);
    });
  }

  async #packet(): Promise<void> {
    const parts = this.#parts;
    this.#parts = [];
    if (this.#packets++ === 0) return;
    const total = parts.reduce((sum, { size }) => sum + size, 0);
    if (total > MAX_PACKET) throw new MediaUnsupported('the comments of the Ogg file are too large');
    const read = await Promise.all(parts.map(({ at, size }) => this.source.read(at, size)));
    const packet = Buffer.concat(read);
    if (packet.length < total) throw new MediaUnsupported('the comments of the Ogg file are cut off');
    const wanted = this.#flac ? await this.#flacBlock(packet) : await this.#comments(packet);
    if (!wanted.equals(packet)) await this.#write(parts, wanted);
  }

  async #comments(packet: Buffer): Promise<Buffer> {
    this.done = true;
    const { prefix, framed } = this.#codec ?? { prefix: '' };
    if (packet.toString('latin1', 0, prefix.length) !== prefix)
      throw new MediaUnsupported('the comments of the Ogg file are missing');
    const comments = await wantedComments(packet.subarray(prefix.length), this.removal);
    const parts = [packet.subarray(0, prefix.length), comments, Buffer.from(framed ? [1] : [])];
    return filledUp(Buffer.concat(parts), packet.length);
  }

  /** A metadata block of FLAC in a packet of its own; an unwanted one becomes padding. */
  async #flacBlock(packet: Buffer): Promise<Buffer> {
    const header = packet[0] ?? 0x80;
    this.done = header >= 0x80;
    const type = header & 0x7f;
    const payload = packet.subarray(4);
    if (type === 0 || type === 3 || type === 5) return packet;
    if (type === 4) {
      const comments = filledUp(await wantedComments(payload, this.removal), payload.length);
      return Buffer.concat([packet.subarray(0, 4), comments]);
    }
    if (type === 6 && (await wantedPicture(payload, this.removal))?.equals(payload)) return packet;
    return Buffer.concat([
      Buffer.from([(header & 0x80) | 1]),
      packet.subarray(1, 4),
      Buffer.alloc(payload.length),
    ]);
  }

  async #write(parts: readonly Part[], packet: Buffer): Promise<void> {
    let from = 0;
    for (const { page, at, size } of parts) {
      const known = this.#changed.get(page);
      const bytes = known ?? Buffer.from(await this.source.read(page.start, page.end - page.start));
      packet.copy(bytes, at - page.start, from, from + size);
      this.#changed.set(page, bytes);
      from += size;
    }
  }
}

function filledUp(bytes: Buffer, size: number): Buffer {
  if (bytes.length > size) throw new MediaUnsupported('the comments of the Ogg file have no end');
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
}
