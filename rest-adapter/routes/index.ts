import type { Row } from '../route.js';
import { adminRows } from './admin.js';
import { authRows } from './auth.js';
import { chatappRows } from './chatapp.js';
import { emailRows } from './email.js';
import { imageRows } from './image.js';
import { messengerRows } from './messenger.js';
import { pasteRows } from './paste.js';
import { playlistRows } from './playlist.js';
import { siteRows } from './site.js';
import { statsRows } from './stats.js';
import { urlRows } from './url.js';
import { userRows } from './user.js';
import { webhookRows } from './webhook.js';

/** Every operation of `/v1`. Of rows that match one path, the first wins. */
export const rows: readonly Row[] = [
  ...siteRows,
  ...authRows,
  ...userRows,
  ...adminRows,
  ...playlistRows,
  ...imageRows,
  ...pasteRows,
  ...urlRows,
  ...chatappRows,
  ...messengerRows,
  ...webhookRows,
  ...statsRows,
  ...emailRows,
];
