import type { Row } from '../route.js';
import { accountRows } from './account.js';
import { chatappRows } from './chatapp.js';
import { imageRows } from './image.js';
import { pasteRows } from './paste.js';
import { siteRows } from './site.js';
import { statsRows } from './stats.js';
import { urlRows } from './url.js';

/** Every operation of `/v1`. Of rows that match one path, the first wins. */
export const rows: readonly Row[] = [
  ...siteRows,
  ...accountRows,
  ...imageRows,
  ...pasteRows,
  ...urlRows,
  ...chatappRows,
  ...statsRows,
];
