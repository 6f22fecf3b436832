import type { PRODUCT_NAMES } from '../names.js';
import type { Product } from '../port.js';
import { chibisafe } from './chibisafe.js';
import { folder } from './folder.js';
import { kutt } from './kutt.js';
import { opengist } from './opengist.js';
import { picsur } from './picsur.js';
import { pingvin } from './pingvin.js';
import { privatebin } from './privatebin.js';
import { shlink } from './shlink.js';
import { slink } from './slink.js';
import { xbackbone } from './xbackbone.js';
import { yourls } from './yourls.js';
import { zipline } from './zipline.js';

/** How each product is opened. */
export const PRODUCTS: Readonly<Record<(typeof PRODUCT_NAMES)[number], Product>> = {
  folder,
  zipline,
  chibisafe,
  shlink,
  yourls,
  kutt,
  pingvin,
  xbackbone,
  picsur,
  slink,
  opengist,
  privatebin,
};
