import { type Edit, remove } from '../../edits.js';
import { namesPlace, type Removal } from '../../metadata/policy.js';
import type { ByteSource } from '../../source.js';
import { firstBlock, gifBlocks } from './read.js';

const COMMENT = 0xfe;
const APPLICATION = 0xff;
const LOOKS = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012'];
const MAX_READ = 1024 * 1024;

/** Removes comments, application data (XMP) and anything after the end of a GIF. */
export async function cleanGif(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits: Edit[] = [];
  let end = firstBlock(await source.read(0, 13));
  for await (const block of gifBlocks(source)) {
    end = block.end;
    const metadata =
      block.label === COMMENT || (block.label === APPLICATION && !LOOKS.includes(block.application));
    if (!metadata) continue;
    const size = Math.min(block.end - block.start, MAX_READ);
    if (removal === 'strip' || namesPlace(await source.read(block.start, size))) {
      edits.push(remove(block.start, block.end));
    }
  }
  // Without an end mark, what follows the last block belongs to nothing either.
  const last = end + ((await source.read(end, 1))[0] === 0x3b ? 1 : 0);
  if (last < source.size) edits.push(remove(last, source.size));
  return edits;
}
