import { type Box, readBox } from '../boxes.js';
import type { Blanker } from './blanker.js';

const MAX_XML = 64 * 1024;
const ID_SIZE = 16;
/** What a player needs to show a spherical video; the rest tells when and with what it was made. */
const NEEDED =
  /<(GSpherical:(?:Spherical|Stitched|ProjectionType|StereoMode|Initial\w+Degrees|FullPano\w+Pixels|CroppedArea\w+Pixels))>[\w.\s-]{0,64}<\/\1>/g;
const HEAD =
  '<?xml version="1.0"?><rdf:SphericalVideo xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/">';
const TAIL = '</rdf:SphericalVideo>';

/** Reduces the description of a spherical video to its projection; false if that is impossible. */
export async function cleanSpherical(blanker: Blanker, box: Box): Promise<boolean> {
  const size = box.end - box.dataAt - ID_SIZE;
  if (size > MAX_XML) return false;
  const xml = (await readBox(blanker.source, box, ID_SIZE + size)).toString('latin1', ID_SIZE);
  const wanted = HEAD + (xml.match(NEEDED) ?? []).join('') + TAIL;
  if (wanted.length > size) return false;
  await blanker.rewrite(box.dataAt + ID_SIZE, Buffer.from(wanted.padEnd(size), 'latin1'));
  return true;
}
