import { chevereto } from './chevereto.js';
import { curl } from './curl.js';
import type { Door } from './door.js';
import { imgur } from './imgur.js';
import { lsky } from './lsky.js';
import { mailpit } from './mailpit.js';
import { mcp } from './mcp/index.js';
import type { DoorName } from './names.js';
import { picgo } from './picgo.js';
import { shlink } from './shlink/index.js';
import { yourls } from './yourls.js';

/** Every door by its name. */
export const DOORS: Readonly<Record<DoorName, Door>> = {
  lsky,
  yourls,
  curl,
  imgur,
  chevereto,
  picgo,
  mailpit,
  shlink,
  mcp,
};
