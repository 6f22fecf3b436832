import type { Door } from './door.js';
import type { DoorName } from './names.js';
import { picgo } from './picgo.js';
import { yourls } from './yourls.js';

/** Every door by its name. */
export const DOORS: Readonly<Record<DoorName, Door>> = { picgo, yourls };
