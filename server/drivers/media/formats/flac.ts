import { MediaUnsupported } from '../../../../routers/base/ports/media/media.js';
import { type Edit, overwrite, remove, replace } from '../edits.js';
import type { Removal } from '../metadata/policy.js';
import type { ByteSource } from '../source.js';
import { wantedComments, wantedPicture } from './audio-tags/vorbis-comment.js';

const BLOCK = { padding: 1, comments: 4, picture: 6 } as const;
/** Stream information, seek table and cue sheet. */
const NEEDED = [0, 3, 5];

/** Removes metadata blocks and comments from a FLAC file. No offset in the file counts from its start. */
export async function cleanFlac(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits: Edit[] = [];
  const kept: { readonly start: number; readonly header: number }[] = [];
  for (let at = 4, last = false; !last; ) {
    const head = await source.read(at, 4);
    const end = head.length < 4 ? Number.POSITIVE_INFINITY : at + 4 + head.readUIntBE(1, 3);
    if (end > source.size) throw new MediaUnsupported('the metadata of the FLAC is cut off');
    last = head.readUInt8(0) >= 0x80;
    const type = head.readUInt8(0) & 0x7f;
    const payload = NEEDED.includes(type) ? null : await source.read(at + 4, end - at - 4);
    const wanted = payload === null ? null : await wantedBlock(type, payload, removal);
    if (payload === null || wanted?.equals(payload)) {
      kept.push({ start: at, header: head.readUInt8(0) });
    } else if (wanted === null) {
      edits.push(remove(at, end));
    } else {
      kept.push({ start: at, header: head.readUInt8(0) });
      edits.push(replace(at + 1, end, Buffer.concat([length24(wanted.length), wanted])));
    }
    at = end;
  }
  for (const [index, { start, header }] of kept.entries()) {
    const marked = (header & 0x7f) | (index === kept.length - 1 ? 0x80 : 0);
    if (marked !== header) edits.push(overwrite(start, Buffer.from([marked])));
  }
  return edits;
}

async function wantedBlock(type: number, payload: Buffer, removal: Removal): Promise<Buffer | null> {
  if (type === BLOCK.comments) return wantedComments(payload, removal);
  if (type === BLOCK.picture) return wantedPicture(payload, removal);
  return type === BLOCK.padding && payload.every((byte) => byte === 0) ? payload : null;
}

function length24(length: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntBE(length, 0, 3);
  return bytes;
}
