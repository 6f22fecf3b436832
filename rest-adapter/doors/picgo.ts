import { allowUpload } from '../../routers/features/image/allowance.js';
import { bytesUrl } from './address.js';
import { type Door, entrance, json } from './door.js';

/** The server of PicGo, to which plug-ins of editors send pictures. */
export const picgo: Door = {
  entrances: [
    entrance('POST', '/upload', {
      procedures: ['upload.several'],
      body: 'files',
      admit: allowUpload,
      answer: async ({ call, wire: { body, parts = [] } }) => {
        const images = await call('upload.several', {
          files: parts.map(({ upload }) => upload),
          urls: body.list('list'),
        });
        return json({ success: true, result: images.map(bytesUrl) });
      },
    }),
  ],
  keyIn: (fields) => fields.text('key'),
  refuse: ({ status, message }) => json({ success: false, message }, status),
};
