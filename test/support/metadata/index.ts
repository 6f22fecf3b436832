import { bitmaps } from './bitmaps.js';
import { isoBoxes } from './boxes.js';
import { cut } from './cut.js';
import { movies } from './movies.js';
import { pictures } from './pictures.js';
import type { Row } from './row.js';
import { sounds } from './sounds.js';

/** All rows of the metadata matrix: a format, a carrier and what each policy removes. */
export const rows: readonly Row[] = [...pictures, ...bitmaps, ...movies, ...isoBoxes, ...cut, ...sounds];
