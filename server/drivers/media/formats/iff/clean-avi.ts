import { MediaUnsupported } from '../../../../../routers/base/ports/media/media.js';
import { type Edit, overwrite, remove, zero } from '../../edits.js';
import { type Removal, revealsLocation } from '../../metadata/policy.js';
import { type ByteSource, isZero } from '../../source.js';

/** Lists that are entered; all others are metadata, or the frames themselves. */
const HEADERS = ['hdrl', 'strl', 'odml'];
const NEEDED = ['avih', 'strh', 'strf', 'indx', 'vprp', 'dmlh', 'idx1'];
const FRAMES = 'movi';
const MAX_TEXT = 16 * 1024 * 1024;
const MAX_DEPTH = 8;

/**
 * Turns the metadata chunks of an AVI into empty space of the same size, because its indexes contain offsets: dates,
 * texts, and what cameras hide in stream data and in space that should be empty. Bytes behind the last list are
 * removed.
 */
export async function cleanAvi(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits: Edit[] = [];
  const met = { frames: false };
  let at = 0;
  while (at + 12 <= source.size) {
    const head = await source.read(at, 12);
    if (head.toString('latin1', 0, 4) !== 'RIFF') break;
    // A recording that was not finished has no size.
    const size = head.readUInt32LE(4);
    const end = size < 4 ? source.size : Math.min(at + 8 + size + (size & 1), source.size);
    edits.push(...(await cleanList(source, at + 12, end, removal, 0, met)));
    at = end;
  }
  if (at === 0) throw new MediaUnsupported('the AVI has no list of chunks');
  // A chunk with a wrong size may have covered them.
  if (!met.frames) throw new MediaUnsupported('the frames of the AVI cannot be found');
  if (at < source.size) edits.push(remove(at, source.size));
  return edits;
}

async function cleanList(
  source: ByteSource,
  start: number,
  limit: number,
  removal: Removal,
  depth: number,
  met: { frames: boolean },
): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (let at = start; at + 8 <= limit; ) {
    const head = await source.read(at, 12);
    const name = head.toString('latin1', 0, 4);
    const size = head.readUInt32LE(4);
    const end = Math.min(at + 8 + size + (size & 1), limit);
    const list = name === 'LIST' ? head.toString('latin1', 8, 12) : '';
    met.frames ||= list === FRAMES;
    if (list === FRAMES && size === 0) break;
    if (HEADERS.includes(list) && depth < MAX_DEPTH) {
      edits.push(...(await cleanList(source, at + 12, end, removal, depth + 1, met)));
    } else if (list !== FRAMES && !NEEDED.includes(name)) {
      edits.push(...(await emptied(source, { name, at, end }, removal)));
    }
    at = end;
  }
  return edits;
}

async function emptied(
  source: ByteSource,
  { name, at, end }: { readonly name: string; readonly at: number; readonly end: number },
  removal: Removal,
): Promise<Edit[]> {
  if (name === 'JUNK' && (await isZero(source, at + 8, end))) return [];
  const isText = removal === 'location' && isReadable(name) && end - at - 8 <= MAX_TEXT;
  if (isText && !revealsLocation(await source.read(at + 8, end - at - 8))) return [];
  return [overwrite(at, Buffer.from('JUNK', 'latin1')), zero(at + 8, end)];
}

const isReadable = (name: string): boolean => ['LIST', 'IDIT', 'strn', 'strd', 'ISMP', '_PMX'].includes(name);
