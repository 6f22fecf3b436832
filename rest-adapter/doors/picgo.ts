import { z } from 'zod';
import { allowUpload } from '../../routers/features/image/allowance.js';
import { route } from '../route.js';
import { bytesUrl } from './address.js';
import type { Door } from './door.js';

/** The server of PicGo, to which plug-ins of editors send pictures. */
export const picgo: Door = {
  routes: [
    route('POST', '/upload', {
      procedure: 'upload.several',
      summary: 'PicGo: store the files of a form, or those at the addresses in "list"',
      body: 'files',
      admit: allowUpload,
      errors: [400, 401, 403, 413, 429],
      read: ({ body, parts = [] }) => ({
        files: parts.map(({ upload }) => upload),
        urls: body.list('list'),
      }),
      bare: z.object({ success: z.boolean(), result: z.array(z.url()) }),
      reply: (images) => ({
        as: 'json',
        status: 200,
        body: { success: true, result: images.map(bytesUrl) },
      }),
    }),
  ],
  keyIn: (query) => query.text('key'),
  refuse: ({ status, message }) => ({ as: 'json', status, body: { success: false, message } }),
};
