import type { FormatName } from '../../../../../routers/base/ports/media/formats.js';

const AUDIO_BRANDS = ['M4A ', 'M4B ', 'M4P ', 'F4A ', 'F4B '];
/** Boxes with which a file of the ISO family or a segment of one may begin, besides those that QuickTime knew first. */
const SEGMENT_BOXES = ['styp', 'sidx', 'ssix', 'moof', 'emsg', 'prft', 'pdin', 'uuid', 'mfra'];
const CLASSIC_BOXES = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'PICT', 'junk'];

/**
 * The format of a file that consists of boxes: by the brands of its first `ftyp` or `styp` box, wherever that is.
 * Without one it is a segment of a fragmented movie or, if it has only the boxes that came with it, QuickTime.
 */
export function isoFormat(head: Buffer): FormatName | null {
  if (head.length < 12) return null;
  let found: FormatName | null = null;
  for (let at = 0; at + 8 <= head.length; ) {
    const type = head.toString('latin1', at + 4, at + 8);
    const size = head.readUInt32BE(at);
    if (size > 1 && size < 8) return found;
    if (type === 'ftyp') return size < 12 ? found : branded(head.subarray(at, at + size));
    if (SEGMENT_BOXES.includes(type)) found = 'mp4';
    else if (CLASSIC_BOXES.includes(type)) found ??= 'mov';
    else return found;
    // To the end of the file, or beyond 4 GiB: nothing that follows is known.
    if (size < 8) return found;
    at += size;
  }
  return found;
}

/** The format that the brands of a `ftyp` box name. Null for JPEG 2000. */
function branded(ftyp: Buffer): FormatName | null {
  const brands: string[] = ftyp.toString('latin1', 8).match(/[\s\S]{4}/g) ?? [];
  const major = brands[0] ?? '';
  if (/^(avif|avis)$/.test(major)) return 'avif';
  if (/^(hei[cxms]|hev[cxms])$/.test(major)) return 'heic';
  if (/^(mif1|mif2|msf1)$/.test(major)) {
    if (brands.includes('avif') || brands.includes('avis')) return 'avif';
    return brands.includes('heic') || brands.includes('heix') ? 'heic' : 'heif';
  }
  if (major === 'qt  ') return 'mov';
  if (AUDIO_BRANDS.includes(major)) return 'm4a';
  if (major === 'crx ') return 'cr3';
  if (/^3g/.test(major)) return '3gp';
  return /^j[pxm]/.test(major) ? null : 'mp4';
}
