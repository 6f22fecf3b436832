import type { Cleaner } from '../../../metadata/policy.js';
import { cleanIso } from './file.js';
import { cleanItems } from './items.js';

/** Cleans a movie or a sound in MP4, QuickTime or 3GP. */
export const cleanMovie: Cleaner = (source, removal) => cleanIso(source, removal);

/** Cleans a music file, which keeps its song tags. */
export const cleanMusic: Cleaner = (source, removal) => cleanIso(source, removal, { music: true });

/** Cleans a movie at the end of another file, whose size must stay. */
export const cleanAttachedMovie: Cleaner = (source, removal) => cleanIso(source, removal, { cut: false });

/** Cleans a HEIF or AVIF image or sequence. */
export const cleanHeif: Cleaner = (source, removal) => cleanIso(source, removal, { items: cleanItems });
